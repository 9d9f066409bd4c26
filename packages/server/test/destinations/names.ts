// A test's own host names, for the guard of outbound requests. Vitest replaces the system's `lookup` with `lookup`.
// Every other name is resolved as usual.
import type { LookupAddress } from "node:dns"

export const names = new Map<string, ReadonlyArray<string>>()

type Lookup = (name: string, options: { readonly all: true }) => Promise<Array<LookupAddress>>

export const namesBefore =
  (system: Lookup): Lookup =>
  async (name, options) => {
    const own = names.get(name)
    return own === undefined
      ? system(name, options)
      : own.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
  }
