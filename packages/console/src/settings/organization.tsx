// The organization: its name, its time zone, what data it keeps and for how long, and its usage.
import type { Organization as Saved, OrganizationUpdateParams } from "@footfall/sdk"
import { BadRequestError } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { accountQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { AreaField, TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { Read } from "../ui/read.tsx"
import { useTitle } from "../ui/screen.tsx"
import { count, knownZone, plural, Time } from "../ui/time.tsx"
import { useUnsaved } from "../ui/unsaved.tsx"
import { useWrite } from "../ui/use-write.ts"

const Organization = () => {
  useTitle("Organization · Settings")
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
            <dt>Sites</dt>
            <dd>
              {pixels.active} active, {pixels.paused} paused
            </dd>
            <dt>Intent data</dt>
            <dd>{intent.enabled ? dataText(intent.dataDate) : "not enabled"}</dd>
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

const dataText = (date: string | null): string => (date === null ? "none yet" : `up to ${date}`)

interface Fields {
  readonly name: string
  readonly timeZone: string
  readonly retention: string
  readonly networks: string
}

const fieldsOf = ({
  name,
  settings,
  timeZone,
}: Pick<Saved, "name" | "settings" | "timeZone">): Fields => ({
  name,
  timeZone,
  retention: settings.retentionDays?.toString() ?? "",
  networks: settings.excludedIps.join("\n"),
})

const networksIn = (text: string): ReadonlyArray<string> => text.split(/[\s,;]+/).filter(Boolean)

const changesOf = (before: Fields, after: Fields): OrganizationUpdateParams => {
  const settings = {
    ...(after.retention !== before.retention && {
      retentionDays: after.retention.trim() === "" ? null : Number(after.retention),
    }),
    ...(after.networks !== before.networks && {
      excludedIps: networksIn(after.networks),
    }),
  }
  return {
    ...(after.name !== before.name && { name: after.name.trim() }),
    ...(after.timeZone !== before.timeZone && { timeZone: after.timeZone.trim() }),
    ...(Object.keys(settings).length > 0 && { settings }),
  }
}

/** The zones that this browser knows; the server may know more. */
const timeZones: ReadonlyArray<string> = ["UTC", ...Intl.supportedValuesOf("timeZone")]

/** The sentence at the field, if the server refused the time zone. */
const wrongTimeZoneIn = (error: unknown): string | undefined =>
  error instanceof BadRequestError && error.issues.some(({ path }) => path === "/body/timeZone")
    ? "This is not a time zone. Examples: Europe/Berlin, America/New_York, UTC."
    : undefined

/** The sentence at the field, if the server refused a network. */
const wrongNetworkIn = (error: unknown, text: string): string | undefined => {
  if (!(error instanceof BadRequestError)) return undefined
  const path = error.issues.find(({ path }) => path.startsWith(networksPath))?.path
  const network = networksIn(text)[Number(path?.slice(networksPath.length))]
  if (network === undefined) return undefined
  const line = text.split("\n").findIndex((each) => networksIn(each).includes(network)) + 1
  return `Line ${line}: ${network} is not a network.`
}

const networksPath = "/body/settings/excludedIps/"

const timeIn = (timeZone: string): string =>
  new Date().toLocaleTimeString(undefined, { timeZone: knownZone(timeZone), timeStyle: "short" })

const Form = () => {
  const { canManage, organization } = useMe()
  // The initial form values. Only fields that differ from them are saved, so a colleague's changes stay.
  const [before, setBefore] = useState(() => fieldsOf(organization))
  const [fields, setFields] = useState(before)
  const [isConfirming, setConfirming] = useState(false)
  const set = (change: Partial<Fields>): void => {
    // What the server refused is no longer what the field says.
    if (save.isError) save.reset()
    setFields({ ...fields, ...change })
  }
  const params = changesOf(before, fields)
  const days = params.settings?.retentionDays ?? null
  const isShorter = days !== null && days < (organization.settings.retentionDays ?? Infinity)
  const save = useWrite({
    write: () => footfall.organizations.update(organization.id, params),
    changes: [["me"], ["account"], ["overview"]],
    notice: () => ({ text: "Saved the organization" }),
    onDone: (saved) => {
      setConfirming(false)
      setBefore(fieldsOf(saved))
      setFields(fieldsOf(saved))
    },
  })
  const wrongNetwork = wrongNetworkIn(save.error, fields.networks)
  const wrongTimeZone = wrongTimeZoneIn(save.error)
  const isChanged = Object.keys(params).length > 0
  const question = useUnsaved(isChanged && !save.isPending)
  return (
    <form
      className="card stack"
      aria-label="Organization"
      onSubmit={(event) => {
        event.preventDefault()
        if (isShorter) setConfirming(true)
        else save.mutate()
      }}
    >
      <h2>Organization</h2>
      <fieldset className="stack" disabled={!canManage}>
        <TextField
          label="Name"
          required
          maxLength={160}
          value={fields.name}
          onValue={(name) => set({ name })}
        />
        <TextField
          label="Time zone"
          hint={`Days, months, digests and daily runs follow it. It is ${timeIn(before.timeZone)} there.`}
          required
          list="time-zones"
          wrong={wrongTimeZone}
          value={fields.timeZone}
          onValue={(timeZone) => set({ timeZone })}
        />
        <datalist id="time-zones">
          {timeZones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <TextField
          label="Days to keep visits and events"
          hint="30 to 3,650. Leave empty to keep them forever."
          type="number"
          min={30}
          max={3650}
          value={fields.retention}
          onValue={(retention) => set({ retention })}
        />
        <AreaField
          label="Networks to ignore"
          hint="One per line, for example 203.0.113.0/24. Visits from them, such as your offices, are not recorded."
          wrong={wrongNetwork}
          value={fields.networks}
          onValue={(networks) => set({ networks })}
        />
      </fieldset>
      {!isConfirming && (
        <Problem
          error={(wrongNetwork ?? wrongTimeZone) === undefined ? save.error : null}
          title="Nothing was saved"
        />
      )}
      {isConfirming && days !== null && (
        <Confirm
          title={`Keep visits and events for ${plural(days, "day")}?`}
          verb="Save and delete older data"
          isBusy={save.isPending}
          error={save.error}
          onConfirm={() => save.mutate()}
          onClose={() => setConfirming(false)}
        >
          <p>
            This deletes visits and events older than {plural(days, "day")}, now and every day from
            now on. It can't be undone. Until now they were kept{" "}
            {organization.settings.retentionDays === null
              ? "forever"
              : `for ${plural(organization.settings.retentionDays, "day")}`}
            .
          </p>
        </Confirm>
      )}
      {canManage ? (
        <div>
          <Button kind="primary" type="submit" isBusy={save.isPending} disabled={!isChanged}>
            Save
          </Button>
        </div>
      ) : (
        <p className="soft">An admin or owner can change this.</p>
      )}
      {question}
    </form>
  )
}

export default Organization
