// Members and their roles. A member who is new to the server gets a link to set a password.
import type { AddedMember, ListMeta, Member, Role } from "@footfall/sdk"
import { type ReactNode, useState } from "react"
import { footfall, invitationUrl } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { Snippet } from "../ui/copy.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { ChoiceField, TextField, type Choice } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { useTitle } from "../ui/screen.tsx"
import { Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { isolated } from "../ui/isolated.ts"

const roles: ReadonlyArray<Choice<Role>> = [
  { value: "viewer", text: "Viewer: can view" },
  { value: "member", text: "Member: can view and edit" },
  { value: "admin", text: "Admin: also manages members and keys" },
  { value: "owner", text: "Owner: full access" },
]

const Members = () => {
  useTitle("Members · Settings")
  const { canManage } = useMe()
  return canManage ? (
    <MemberList />
  ) : (
    <p className="soft">Only admins and owners can see the members.</p>
  )
}

const MemberList = () => {
  const { organization } = useMe()
  const [isAdding, setAdding] = useState(false)
  const members = usePages<Member, ListMeta>({
    key: ["members", organization.id],
    load: (cursor, signal) =>
      footfall.members.list(organization.id, { limit: 100, cursor }, { signal }),
  })
  return (
    <section className="stack" aria-label="Members">
      <div className="spread">
        <p className="soft">Everyone who can sign in to {organization.name}.</p>
        <Button kind="primary" onClick={() => setAdding(true)}>
          Add a member
        </Button>
      </div>
      <Problem error={members.error} onRetry={members.retry} />
      {members.isPending && <Waiting />}
      <div className="scroll-x">
        <table className="plain-table stacking">
          <thead>
            <tr>
              <th>Member</th>
              <th>Role</th>
              <th>Since</th>
              <th>
                <span className="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {members.rows.map((member) => (
              <MemberRow key={member.userId} member={member} />
            ))}
          </tbody>
        </table>
      </div>
      <Rest pages={members} verb="Show more members" />
      {isAdding && <AddMember onClose={() => setAdding(false)} />}
    </section>
  )
}

const MemberRow = ({ member }: { readonly member: Member }) => {
  const { isOwner, organization, user } = useMe()
  const [isRemoving, setRemoving] = useState(false)
  // Only the button saves it, because arrow keys step through other roles.
  const [chosen, setChosen] = useState<Role | null>(null)
  const { email, name, role, userId } = member
  const id = { organizationId: organization.id, userId }
  const change = useWrite({
    write: (next: Role) => footfall.members.update(id, { role: next }),
    changes: [["members"], ["me"]],
    notice: (changed) => ({ text: isolated`${changed.email} is now ${changed.role}` }),
    onDone: () => setChosen(null),
  })
  const remove = useWrite({
    write: () => footfall.members.remove(id),
    changes: [["members"]],
    notice: () => ({ text: isolated`Removed ${email}` }),
    onDone: () => setRemoving(false),
  })
  const invite = useWrite({
    write: () => footfall.members.invite(id),
    notice: () => ({ text: isolated`Created a new invitation for ${email}` }),
  })
  // Only owners can grant or remove `owner`.
  const mayChange = userId !== user.id && (isOwner || role !== "owner")
  return (
    <tr>
      <td className="break">
        {name ?? email}
        {name !== null && <p className="soft small">{email}</p>}
        {member.status === "pending" && (
          <p className="small">
            <Badge>invited</Badge> has not accepted yet
          </p>
        )}
        <Problem error={change.error} />
        <Problem error={invite.error} title="No invitation was sent" />
      </td>
      <td>
        {mayChange ? (
          <div className="row">
            <ChoiceField
              label={`Role of ${email}`}
              isCompact
              choices={roles.filter(({ value }) => isOwner || value !== "owner")}
              value={chosen ?? role}
              onValue={setChosen}
            />
            {chosen !== null && chosen !== role && (
              <Button
                aria-label={`Save the role of ${email}`}
                isBusy={change.isPending}
                onClick={() => change.mutate(chosen)}
              >
                Save
              </Button>
            )}
          </div>
        ) : (
          role
        )}
      </td>
      <td>
        <Time at={member.createdAt} />
      </td>
      <td className="number">
        {mayChange && member.status === "pending" && (
          <Button
            kind="plain"
            aria-label={`Send the invitation of ${email} again`}
            isBusy={invite.isPending}
            onClick={() => invite.mutate()}
          >
            Send again
          </Button>
        )}{" "}
        {invite.data !== undefined && (
          <InvitationDialog invited={invite.data} onClose={() => invite.reset()}>
            The links that they got before no longer work.
          </InvitationDialog>
        )}
        {mayChange && (
          <Button kind="plain" aria-label={`Remove ${email}`} onClick={() => setRemoving(true)}>
            Remove
          </Button>
        )}
        {isRemoving && (
          <Confirm
            title={isolated`Remove ${email}?`}
            verb="Remove"
            isBusy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
            onClose={() => setRemoving(false)}
          >
            <p>The person can no longer sign in to {organization.name}. You can add them again.</p>
          </Confirm>
        )}
      </td>
    </tr>
  )
}

const AddMember = ({ onClose }: { readonly onClose: () => void }) => {
  const { isOwner, organization } = useMe()
  const [email, setEmail] = useState("")
  const [role, setRole] = useState<Role>("member")
  const [added, setAdded] = useState<AddedMember | null>(null)
  const add = useWrite({
    write: () => footfall.members.add(organization.id, { email: email.trim(), role }),
    changes: [["members"]],
    notice: ({ member }) => ({ text: isolated`Added ${member.email}` }),
    onDone: setAdded,
  })
  if (added !== null) return <InvitationDialog invited={added} onClose={onClose} />
  return (
    <FormDialog
      title="Add a member"
      onClose={onClose}
      verb="Add"
      write={add}
      failure="No member was added"
      onSubmit={() => add.mutate()}
    >
      <TextField label="Email" type="email" required autoFocus value={email} onValue={setEmail} />
      <ChoiceField
        label="Role"
        choices={roles.filter(({ value }) => isOwner || value !== "owner")}
        value={role}
        onValue={setRole}
      />
    </FormDialog>
  )
}

interface InvitationDialogProps {
  readonly invited: AddedMember
  readonly onClose: () => void
  readonly children?: ReactNode
}

const InvitationDialog = ({ invited, onClose, children }: InvitationDialogProps) => {
  const { emailSent, inviteToken, member } = invited
  return (
    <Dialog title={isolated`The invitation of ${member.email}`} onClose={onClose}>
      <p>
        {emailSent
          ? "We emailed them an invitation. You can send them this link as well."
          : "This server sends no email, so send them this link yourself."}{" "}
        It works once, within 7 days, and is shown only now. {children}
      </p>
      {inviteToken !== null && (
        <Snippet text={invitationUrl(inviteToken)} label="invitation link" />
      )}
    </Dialog>
  )
}

export default Members
