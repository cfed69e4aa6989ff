// Replaces the platform shims of the MCP SDK. The SDK's JSON Schema validator is a separate library that
// would be loaded at each start. We give the server another one, so this one is never used.
import process from 'node:process'

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('unreachable: the server has a validator of its own')
  }
}

export { process }
