// A person's display name: the name, else the email address, else the start of the hash.
import type { Visitor } from "@footfall/sdk"

export const nameOf = ({
  email,
  emailHash,
  fullName,
}: Pick<Visitor, "email" | "emailHash" | "fullName">): string =>
  fullName ?? email ?? `Person ${emailHash.slice(0, 8)}`
