// The organization: its name, what it keeps and for how long, and what it has used.
import type { OrganizationUpdateParams } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { accountQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { AreaField, TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { Read } from "../ui/read.tsx"
import { useTitle } from "../ui/screen.tsx"
import { count, Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import "./settings.css"

const Organization = () => {
  useTitle("Organization")
  return (
    <div className="settings">
      <Usage />
      <Form />
    </div>
  )
}

const Usage = () => {
  const { role, user } = useMe()
  const query = useQuery(accountQuery)
  return (
    <section className="card stack" aria-label="Usage">
      <h2>Usage</h2>
      <Read query={query}>
        {({ credits, intent, organization, pixels }) => (
          <dl className="facts">
            <dt>Status</dt>
            <dd>{organization.status}</dd>
            <dt>Credits</dt>
            <dd>
              {credits.limit === null
                ? `${count(credits.used)} used this month, unlimited`
                : `${count(credits.used)} of ${count(credits.limit)} used this month`}
            </dd>
            {credits.resetsAt !== null && (
              <>
                <dt>Renewed</dt>
                <dd>
                  <Time at={credits.resetsAt} shape="full" />
                </dd>
              </>
            )}
            <dt>Pixels</dt>
            <dd>
              {pixels.active} active, {pixels.paused} paused
            </dd>
            <dt>Intent data</dt>
            <dd>{intent.enabled ? `up to ${intent.dataDate ?? "no date yet"}` : "not enabled"}</dd>
            <dt>You</dt>
            <dd>
              {user.email}, {role}
            </dd>
          </dl>
        )}
      </Read>
    </section>
  )
}

const Form = () => {
  const { canManage, organization } = useMe()
  const { settings } = organization
  const [name, setName] = useState(organization.name)
  const [retention, setRetention] = useState(settings.retentionDays?.toString() ?? "")
  const [networks, setNetworks] = useState(settings.excludedIps.join("\n"))
  const save = useWrite({
    write: (params: OrganizationUpdateParams) =>
      footfall.organizations.update(organization.id, params),
    changes: [["me"], ["account"]],
    notice: () => ({ text: "Saved the organization" }),
  })
  return (
    <form
      className="card stack"
      aria-label="Organization"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({
          name: name.trim(),
          settings: {
            retentionDays: retention.trim() === "" ? null : Number(retention),
            excludedIps: networks.split(/[\s,;]+/).filter(Boolean),
          },
        })
      }}
    >
      <h2>Organization</h2>
      <fieldset className="stack" disabled={!canManage}>
        <TextField label="Name" required maxLength={160} value={name} onValue={setName} />
        <TextField
          label="Days that sessions and events are kept"
          hint="30 to 3,650; empty: forever."
          type="number"
          min={30}
          max={3650}
          value={retention}
          onValue={setRetention}
        />
        <AreaField
          label="Networks whose visits are not recorded"
          hint="One per line, for example 203.0.113.0/24: your offices."
          value={networks}
          onValue={setNetworks}
        />
      </fieldset>
      <Problem error={save.error} title="Nothing was saved" />
      {canManage ? (
        <div>
          <Button kind="primary" type="submit" isBusy={save.isPending}>
            Save
          </Button>
        </div>
      ) : (
        <p className="soft">An admin or owner can change this.</p>
      )}
    </form>
  )
}

export default Organization
