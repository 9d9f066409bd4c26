// API keys for programs and terminals. Each key is shown once.
import type { ApiKey, ListMeta } from "@footfall/sdk"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { KeepDialog } from "../ui/keep-dialog.tsx"
import { useNow } from "../ui/now.ts"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { useTitle } from "../ui/screen.tsx"
import { Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { isolated } from "../ui/isolated.ts"

const Keys = () => {
  useTitle("API keys · Settings")
  const { canManage } = useMe()
  return canManage ? (
    <KeyList />
  ) : (
    <p className="soft">Only admins and owners can see the API keys.</p>
  )
}

const KeyList = () => {
  const [isCreating, setCreating] = useState(false)
  const keys = usePages<ApiKey, ListMeta>({
    key: ["api-keys"],
    load: (cursor, signal) => footfall.apiKeys.list({ limit: 100, cursor }, { signal }),
  })
  return (
    <section className="stack" aria-label="API keys">
      <div className="spread">
        <p className="soft">For programs and the command line. Never put one in a web page.</p>
        <Button kind="primary" onClick={() => setCreating(true)}>
          Create a key
        </Button>
      </div>
      <Problem error={keys.error} onRetry={keys.retry} />
      {keys.isPending && <Waiting />}
      <div className="scroll-x">
        <table className="plain-table stacking">
          <thead>
            <tr>
              <th>Name</th>
              <th>Key</th>
              <th>Last used</th>
              <th>Created</th>
              <th>
                <span className="hidden">Revoke</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.rows.map((key) => (
              <KeyRow key={key.id} apiKey={key} />
            ))}
          </tbody>
        </table>
      </div>
      <Rest pages={keys} verb="Show more keys" />
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </section>
  )
}

const KeyRow = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const nowMs = useNow()
  const [isRevoking, setRevoking] = useState(false)
  const { createdAt, expiresAt, id, last4, lastUsedAt, name, prefix, revokedAt } = apiKey
  const isExpired = expiresAt !== null && new Date(expiresAt).getTime() < nowMs
  const revoke = useWrite({
    write: () => footfall.apiKeys.revoke(id),
    changes: [["api-keys"]],
    notice: () => ({ text: isolated`Revoked ${name}` }),
    onDone: () => setRevoking(false),
  })
  return (
    <tr>
      <td className="break">{name}</td>
      <td>
        <code>
          {prefix}…{last4}
        </code>
      </td>
      <td>
        <Time at={lastUsedAt} />
      </td>
      <td>
        <Time at={createdAt} />
      </td>
      <td className="number">
        {revokedAt !== null && <Badge>revoked</Badge>}
        {revokedAt === null && isExpired && <Badge tone="warn">expired</Badge>}
        {revokedAt === null && !isExpired && (
          <Button kind="plain" aria-label={`Revoke ${name}`} onClick={() => setRevoking(true)}>
            Revoke
          </Button>
        )}
        {isRevoking && (
          <Confirm
            title={isolated`Revoke ${name}?`}
            verb="Revoke"
            isBusy={revoke.isPending}
            error={revoke.error}
            onConfirm={() => revoke.mutate()}
            onClose={() => setRevoking(false)}
          >
            <p>Programs that use it are rejected within 5 seconds. This can't be undone.</p>
          </Confirm>
        )}
      </td>
    </tr>
  )
}

const CreateKey = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const create = useWrite({
    write: () => footfall.apiKeys.create({ name: name.trim() }),
    changes: [["api-keys"]],
    notice: ({ apiKey }) => ({ text: isolated`Created key ${apiKey.name}` }),
  })
  if (create.data !== undefined) {
    return (
      <KeepDialog what="API key" secret={create.data.secret} onClose={onClose}>
        Copy it now and keep it where you keep secrets.
      </KeepDialog>
    )
  }
  return (
    <FormDialog
      title="Create a key"
      onClose={onClose}
      verb="Create"
      write={create}
      failure="No key was created"
      onSubmit={() => create.mutate()}
    >
      <TextField
        label="Name"
        hint="What uses it, for example Nightly export."
        required
        maxLength={100}
        autoFocus
        value={name}
        onValue={setName}
      />
    </FormDialog>
  )
}

export default Keys
