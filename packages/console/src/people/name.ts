// What a person is called: by name, else by address, else by the start of the hash.
import type { Visitor } from "@footfall/sdk"

export const nameOf = ({
  email,
  emailHash,
  fullName,
}: Pick<Visitor, "email" | "emailHash" | "fullName">): string =>
  fullName ?? email ?? `Person ${emailHash.slice(0, 8)}`
