// Who gets the emails of a webhook: members of the organization. Only admins and owners can see the members; others can
// choose themselves.
import type { ListMeta, Member } from "@footfall/sdk"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { CheckField } from "../ui/field.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"

interface RecipientFieldsProps {
  /** Ids of members. */
  readonly value: ReadonlyArray<string>
  readonly onValue: (value: ReadonlyArray<string>) => void
}

export const RecipientFields = (props: RecipientFieldsProps) => {
  const { canManage, user } = useMe()
  return (
    <fieldset className="stack">
      <legend>Recipients</legend>
      {canManage ? (
        <Members {...props} />
      ) : (
        <>
          <Recipient {...props} userId={user.id} email={user.email} />
          <p className="soft small">
            {othersText(props.value.filter((id) => id !== user.id).length)}
          </p>
        </>
      )}
    </fieldset>
  )
}

const Members = (props: RecipientFieldsProps) => {
  const { organization } = useMe()
  const members = usePages<Member, ListMeta>({
    key: ["members", organization.id],
    load: (cursor, signal) =>
      footfall.members.list(organization.id, { limit: 100, cursor }, { signal }),
  })
  return (
    <>
      <Problem error={members.error} onRetry={members.retry} />
      {members.isPending && <Waiting />}
      {members.rows
        .filter(({ status }) => status === "active")
        .map(({ email, userId }) => (
          <Recipient key={userId} {...props} userId={userId} email={email} />
        ))}
      <Rest pages={members} verb="Show more members" />
    </>
  )
}

interface RecipientProps extends RecipientFieldsProps {
  readonly userId: string
  readonly email: string
}

const Recipient = ({ email, onValue, userId, value }: RecipientProps) => (
  <CheckField
    label={email}
    value={value.includes(userId)}
    onValue={(isChosen) =>
      onValue(isChosen ? [...value, userId] : value.filter((id) => id !== userId))
    }
  />
)

const othersText = (count: number): string =>
  count === 0
    ? "An admin can add other members."
    : `And ${count === 1 ? "another member" : `${count} other members`}. An admin can change them.`
