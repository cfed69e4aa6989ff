// What the MCP SDK would take from its platform. Its validator of JSON Schema is a library of its own, loaded at each
// start: we give the server another, and never ask for this one.
import process from 'node:process'

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('unreachable: the server has a validator of its own')
  }
}

export { process }
