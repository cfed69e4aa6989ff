export { isPublicAddress } from './address-guard.ts'
export { isOwnAddress } from './own-address.ts'
export { type ResolveHost, resolveBySystem } from './resolve-host.ts'
