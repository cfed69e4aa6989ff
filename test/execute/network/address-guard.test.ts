import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../../src/execute/network/address-guard.ts'

describe('isPublicAddress', () => {
  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('%s is public', address => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::',
    '2001:db8::1',
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '1.1.1.1\0',
  ])('%s is not', address => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it('no address of a private network is public, however it is embedded', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('10', '127', '0', '169.254', '192.168'),
        fc.nat(255),
        fc.nat(255),
        (network, a, b) => {
          const address = network.includes('.') ? `${network}.${a}.${b}` : `${network}.${a}.${b}.1`
          expect(isPublicAddress(address)).toBe(false)
          expect(isPublicAddress(`::ffff:${address}`)).toBe(false)
        },
      ),
    )
  })
})
