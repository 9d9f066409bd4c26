// The audit log: who changed what, and when. It holds ids, never values.
import type { AuditActor, AuditEntry, AuditLogMeta } from "@footfall/sdk"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import { pixelsQuery } from "../frame/scope.tsx"
import { audiencesQuery, segmentsQuery, webhooksQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Copy } from "../ui/copy.tsx"
import { TextField } from "../ui/field.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { useTitle } from "../ui/screen.tsx"
import { SearchBox } from "../ui/search-box.tsx"
import { count, Time } from "../ui/time.tsx"
import { midnight, dayError, type AuditSearch } from "../searches.ts"

const Audit = () => {
  useTitle("Audit log · Settings")
  const { canManage } = useMe()
  return canManage ? <Log /> : <p className="soft">Only admins and owners can see the audit log.</p>
}

const Log = () => {
  const { since, until } = useSearch({ from: "/signed/settings/audit" })
  const hasInvalidDay = dayError(since) !== undefined || dayError(until) !== undefined
  return (
    <section className="stack" aria-label="Audit log">
      <Filters />
      {!hasInvalidDay && <Changes />}
    </section>
  )
}

const Changes = () => {
  const { action, actor, since, until } = useSearch({ from: "/signed/settings/audit" })
  const log = usePages<AuditEntry, AuditLogMeta>({
    key: ["audit-log", action, actor, since, until],
    load: (cursor, signal) =>
      footfall.auditLog.list(
        { limit: 50, cursor, action, actor, from: midnight(since), to: midnight(until, 1) },
        { signal },
      ),
  })
  // Tokens renew by themselves, so they are shown only if someone looks for them.
  const rows = action === undefined ? log.rows.filter((entry) => !isRenewal(entry)) : log.rows
  return (
    <>
      <Problem error={log.error} onRetry={log.retry} />
      {log.isPending && <Waiting />}
      {log.meta !== undefined && rows.length === 0 && (
        <p className="soft">
          {log.hasMore ? "Only renewals of sessions here." : "No changes match these filters."}
        </p>
      )}
      {rows.length > 0 && (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th>When</th>
                <th>Who</th>
                <th>Action</th>
                <th>Object</th>
                <th>Request</th>
              </tr>
            </thead>
            <tbody>
              {withoutRepeats(rows).map(({ entry, times }) => (
                <Entry key={entry.id} entry={entry} times={times} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Rest pages={log} verb="Show older changes" />
    </>
  )
}

const isRenewal = ({ action }: AuditEntry): boolean => action === "user.token_refreshed"

interface Repeated {
  /** The latest of them. */
  readonly entry: AuditEntry
  readonly times: number
}

/** Joins adjacent entries that are the same, such as renewals of a session. */
const withoutRepeats = (rows: ReadonlyArray<AuditEntry>): ReadonlyArray<Repeated> => {
  const joined: Array<Repeated> = []
  for (const entry of rows) {
    const last = joined.at(-1)
    if (last !== undefined && isRepeat(last.entry, entry)) {
      joined.splice(-1, 1, { entry: last.entry, times: last.times + 1 })
    } else joined.push({ entry, times: 1 })
  }
  return joined
}

const isRepeat = (one: AuditEntry, other: AuditEntry): boolean =>
  one.action === other.action &&
  one.targetId === other.targetId &&
  one.actor.type === other.actor.type &&
  one.actor.id === other.actor.id

const Filters = () => {
  const search = useSearch({ from: "/signed/settings/audit" })
  const navigate = useNavigate()
  const change = (next: AuditSearch): void => {
    void navigate({
      to: "/settings/audit",
      search: (before) => ({ ...before, ...next }),
      replace: true,
    })
  }
  return (
    <div className="row filters">
      <SearchBox
        label="Action or resource"
        placeholder="pixel, member.added …"
        value={search.action ?? ""}
        onValue={(text) => change({ action: text === "" ? undefined : text })}
      />
      <TextField
        label="From"
        type="date"
        value={search.since ?? ""}
        wrong={dayError(search.since)}
        onValue={(text) => change({ since: text === "" ? undefined : text })}
      />
      <TextField
        label="To"
        type="date"
        value={search.until ?? ""}
        wrong={dayError(search.until)}
        onValue={(text) => change({ until: text === "" ? undefined : text })}
      />
      {search.actor !== undefined && (
        <Button onClick={() => change({ actor: undefined })}>Show everyone's changes</Button>
      )}
    </div>
  )
}

const Entry = ({ entry, times }: Repeated) => {
  const { action, actor, at, requestId, targetId } = entry
  const name = useNameOf(targetId)
  return (
    <tr>
      <td>
        <Time at={at} />
      </td>
      <td className="break audit-who">
        <Link
          to="/settings/audit"
          search={(before) => ({ ...before, actor: actor.id ?? actor.type })}
          title="Show only theirs"
        >
          {actor.name ?? kinds[actor.type]}
        </Link>
        {actor.name !== null && actor.type === "api_key" && (
          <p className="soft small">{kinds.api_key}</p>
        )}
      </td>
      <td>
        {wordsOf(action)}
        {times > 1 && <span className="soft small"> × {count(times)}</span>}
        <p className="soft small">
          <code>{action}</code>
        </p>
      </td>
      <td>
        {targetId === null ? (
          <span className="soft">the organization</span>
        ) : (
          <>
            {name !== undefined && <p className="break">{name}</p>}
            <Copy text={targetId} label="id" shown={short(targetId)} />
          </>
        )}
      </td>
      <td>
        {requestId !== null && (
          <Copy text={requestId} label="request id" shown={short(requestId)} />
        )}
      </td>
    </tr>
  )
}

/** `audience.run_started` as "Audience run started". */
const wordsOf = (action: string): string =>
  action
    .replaceAll(/[._]/g, " ")
    .replace(/^api/, "API")
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())

/** The names of objects that still exist. The log itself has ids only. */
const useNameOf = (id: string | null): string | undefined => {
  const { organization } = useMe()
  const pixels = useQuery(pixelsQuery)
  const webhooks = useQuery(webhooksQuery)
  const segments = useQuery(segmentsQuery)
  const audiences = useQuery(audiencesQuery)
  const people = useQuery({
    queryKey: ["audit-log", "members", organization.id],
    queryFn: async ({ signal }) =>
      (await footfall.members.list(organization.id, { limit: 100 }, { signal })).data,
    staleTime: 60_000,
  })
  const keys = useQuery({
    queryKey: ["audit-log", "api-keys"],
    queryFn: async ({ signal }) => (await footfall.apiKeys.list({ limit: 100 }, { signal })).data,
    staleTime: 60_000,
  })
  if (id === organization.id) return organization.name
  const named: ReadonlyArray<{ readonly id: string; readonly name: string }> = [
    ...(webhooks.data ?? []),
    ...(segments.data ?? []),
    ...(audiences.data ?? []),
    ...(keys.data ?? []),
  ]
  return (
    named.find((each) => each.id === id)?.name ??
    pixels.data?.find((pixel) => pixel.id === id)?.domain ??
    people.data?.find(({ userId }) => userId === id)?.email
  )
}

const kinds: Readonly<Record<AuditActor["type"], string>> = {
  user: "a former member",
  api_key: "an API key",
  operator: "the operator of this server",
  system: "the server itself",
}

const short = (id: string): string => (id.length > 14 ? `${id.slice(0, 12)}…` : id)

export default Audit
