// The members who can look after someone: all of them for an admin, otherwise the user. Only admins may list members.
import type { RecordOwner } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import type { Choice } from "../ui/field.tsx"

const membersMax = 500

export const useOwners = (): ReadonlyArray<Choice<string>> => {
  const { canManage, organization, user } = useMe()
  const { data } = useQuery({
    queryKey: ["members", organization.id, "owners"],
    queryFn: async ({ signal }) => {
      const choices: Array<Choice<string>> = []
      for await (const member of footfall.members.list(
        organization.id,
        { limit: 100 },
        { signal },
      )) {
        if (member.status === "active") {
          choices.push({ value: member.userId, text: member.name ?? member.email })
        }
        if (choices.length >= membersMax) break
      }
      return choices.toSorted((a, b) => a.text.localeCompare(b.text))
    },
    enabled: canManage,
    staleTime: 60_000,
  })
  return data ?? [{ value: user.id, text: "Me" }]
}

/** The members, with an owner who is not among them. */
export const withOwner = (
  owners: ReadonlyArray<Choice<string>>,
  owner: RecordOwner | null,
): ReadonlyArray<Choice<string>> =>
  owner === null || owners.some(({ value }) => value === owner.id)
    ? owners
    : [...owners, { value: owner.id, text: owner.name ?? owner.email }]
