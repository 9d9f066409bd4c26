// API keys for programs and terminals. Each key is shown once.
import type { ApiKey, ListMeta } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { pixelsQuery } from "../frame/scope.tsx"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { CheckField, type Choice, ChoiceField, TextField } from "../ui/field.tsx"
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
  const { createdAt, expiresAt, id, last4, lastUsedAt, lastUsedFrom, name, prefix, revokedAt } =
    apiKey
  const isExpired = expiresAt !== null && new Date(expiresAt).getTime() < nowMs
  const revoke = useWrite({
    write: () => footfall.apiKeys.revoke(id),
    changes: [["api-keys"]],
    notice: () => ({ text: isolated`Revoked ${name}` }),
    onDone: () => setRevoking(false),
  })
  return (
    <tr>
      <td className="break">
        {name}
        <div className="soft small">{limitsOf(apiKey)}</div>
      </td>
      <td>
        <code>
          {prefix}…{last4}
        </code>
      </td>
      <td>
        <Time at={lastUsedAt} />
        {lastUsedFrom !== null && <div className="soft small">from {lastUsedFrom}</div>}
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

/** What a key may do, where and from where. */
const limitsOf = ({ allowedNetworks, expiresAt, pixelIds, scopes }: ApiKey): string =>
  [
    scopes.includes("all") ? "Everything a member may do" : scopes.join(", "),
    ...(pixelIds === null ? [] : [pixelIds.length === 1 ? "1 site" : `${pixelIds.length} sites`]),
    ...(allowedNetworks === null ? [] : [`from ${allowedNetworks.join(", ")}`]),
    ...(expiresAt === null ? [] : [`until ${expiresAt.slice(0, 10)}`]),
  ].join(" · ")

/** What keys are usually for, and the scopes that this takes. */
const purposes = {
  backend: ["all"],
  reading: ["visitors:read", "suppression:read", "intent:read"],
  suppression: ["suppression:read", "suppression:write", "imports:write"],
} as const satisfies Record<string, ReadonlyArray<ApiKey["scopes"][number]>>

type Purpose = keyof typeof purposes

const purposeChoices: ReadonlyArray<Choice<Purpose>> = [
  { value: "backend", text: "Backend: everything a member may do" },
  { value: "reading", text: "Read only" },
  { value: "suppression", text: "Suppression job" },
]

const CreateKey = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const [purpose, setPurpose] = useState<Purpose>("backend")
  const [sites, setSites] = useState<ReadonlyArray<string>>([])
  const [networks, setNetworks] = useState("")
  const [lastDay, setLastDay] = useState("")
  const pixels = useQuery(pixelsQuery)
  const create = useWrite({
    write: () => {
      const allowedNetworks = networks.split(/[\s,]+/).filter((network) => network !== "")
      return footfall.apiKeys.create({
        name: name.trim(),
        scopes: purposes[purpose],
        pixelIds: purpose === "suppression" || sites.length === 0 ? null : sites,
        allowedNetworks: allowedNetworks.length === 0 ? null : allowedNetworks,
        ...(lastDay === "" ? {} : { expiresAt: `${lastDay}T23:59:59Z` }),
      })
    },
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
      <ChoiceField label="What for" choices={purposeChoices} value={purpose} onValue={setPurpose} />
      {/* Suppression is of the whole organization, so such a key can't be for one site. */}
      {purpose !== "suppression" && (pixels.data ?? []).length > 1 && (
        <fieldset className="stack">
          <legend>Sites</legend>
          <p className="soft small">All sites, unless you choose some.</p>
          {(pixels.data ?? []).map(({ domain, id }) => (
            <CheckField
              key={id}
              label={domain}
              value={sites.includes(id)}
              onValue={(isChosen) =>
                setSites(isChosen ? [...sites, id] : sites.filter((site) => site !== id))
              }
            />
          ))}
        </fieldset>
      )}
      <TextField
        label="Networks"
        hint="Where it may be used from, for example 203.0.113.0/24. Empty: from everywhere."
        value={networks}
        onValue={setNetworks}
      />
      <TextField
        label="Last day"
        hint="When it stops working. Empty: never."
        type="date"
        value={lastDay}
        onValue={setLastDay}
      />
    </FormDialog>
  )
}

export default Keys
