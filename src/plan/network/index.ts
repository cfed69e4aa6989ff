export { canonicalHost, type HostRule, isAddress, parseHostRule, type Reach, reachOf } from './hosts.ts'
