// Suppression sources: lists elsewhere, such as customers in a CRM, that are mirrored into rules.
import type { SuppressionSource } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useCreating } from "../../frame/creating.ts"
import { footfall } from "../../session/session.ts"
import { useMe } from "../../session/use-session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Confirm } from "../../ui/confirm.tsx"
import { Empty } from "../../ui/empty.tsx"
import { isolated } from "../../ui/isolated.ts"
import { Problem } from "../../ui/problem.tsx"
import { Read } from "../../ui/read.tsx"
import { Screen } from "../../ui/screen.tsx"
import { count, plural, Time } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { ruleChanges } from "../use-rules.ts"
import { CreateSource } from "./create-source.tsx"
import { DeleteSource } from "./delete-source.tsx"
import { attentionOf, contentOf, scheduleWords, syncOf } from "./words.ts"

/** In milliseconds. A sync takes seconds, or minutes for a long list. */
const pollMs = { soon: 2_000, usual: 15_000 }

const isSoon = ({ lastSync, nextSyncAt, status }: SuppressionSource): boolean =>
  status === "active" &&
  (lastSync === null || (nextSyncAt !== null && Date.parse(nextSyncAt) <= Date.now() + 5_000))

const sourcesQuery = {
  queryKey: ["suppression", "sources"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    footfall.suppressionSources.list({ signal }),
}

const Sources = () => {
  const { canWrite } = useMe()
  const [isCreating, setCreating] = useCreating("/suppression/sources")
  const query = useQuery({
    ...sourcesQuery,
    refetchInterval: ({ state }) =>
      state.data?.some(isSoon) === true ? pollMs.soon : pollMs.usual,
  })
  const create = canWrite && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Add a source
    </Button>
  )
  return (
    <Screen
      title="Suppression sources"
      parent={{ to: "/suppression", name: "Suppression" }}
      actions={create}
    >
      <Read query={query}>
        {(sources) =>
          sources.length === 0 ? (
            <Empty title="No sources yet" action={create}>
              A source keeps your customers out: everyone on a list in your CRM or mailing list
              provider, or in a file, is suppressed, and no longer once they leave it.
            </Empty>
          ) : (
            <ul className="cards">
              {sources.map((source) => (
                <Source key={source.id} source={source} />
              ))}
            </ul>
          )
        }
      </Read>
      {isCreating && <CreateSource onClose={() => setCreating(false)} />}
    </Screen>
  )
}

export const State = ({ source }: { readonly source: SuppressionSource }) => {
  const { attention, lastSync, status } = source
  if (attention !== null) return <Badge tone="warn">needs approval</Badge>
  if (status === "paused") return <Badge>paused</Badge>
  if (lastSync === null) return <Badge>syncing</Badge>
  if (lastSync.outcome === "failed") return <Badge tone="bad">failing</Badge>
  return <Badge tone="good">in sync</Badge>
}

const Source = ({ source }: { readonly source: SuppressionSource }) => {
  const { canWrite } = useMe()
  const { attention, lastSync, name, nextSyncAt, rules, schedule, status } = source
  return (
    <li className="card stack" aria-label={name}>
      <div className="spread">
        <h2 className="break">{name}</h2>
        <State source={source} />
      </div>
      <p className="break">
        {contentOf(source)}, {scheduleWords[schedule]} ·{" "}
        <Link to="/suppression" search={{ type: source.types[0] }}>
          {plural(rules, "rule")}
        </Link>
      </p>
      <p className={`break ${lastSync?.outcome === "failed" ? "wrong" : ""}`}>
        {attention === null ? syncOf(source) : attentionOf(attention)}
      </p>
      <p className="soft small">
        {lastSync !== null && (
          <>
            Last sync <Time at={lastSync.at} />
          </>
        )}
        {nextSyncAt !== null && (
          <>
            {lastSync === null ? "Next sync " : " · next sync "}
            <Time at={nextSyncAt} />
          </>
        )}
        {status === "paused" && " · paused: the rules stay as they are"}
      </p>
      {canWrite && <Actions source={source} />}
    </li>
  )
}

const Actions = ({ source }: { readonly source: SuppressionSource }) => {
  const { attention, id, name, status } = source
  const [open, setOpen] = useState<"approve" | "delete" | null>(null)
  const sync = useWrite({
    write: () => footfall.suppressionSources.sync(id),
    changes: [sourcesQuery.queryKey],
    notice: () => ({ text: isolated`Syncing ${name}` }),
  })
  const isPaused = status === "paused"
  const pause = useWrite({
    write: () => footfall.suppressionSources.update(id, { status: isPaused ? "active" : "paused" }),
    changes: [sourcesQuery.queryKey],
    notice: () => ({ text: isPaused ? isolated`Resumed ${name}` : isolated`Paused ${name}` }),
  })
  return (
    <>
      <div className="row">
        {attention !== null && (
          <Button kind="primary" onClick={() => setOpen("approve")}>
            Approve…
          </Button>
        )}
        {!isPaused && (
          <Button
            aria-label={isolated`Sync now: ${name}`}
            isBusy={sync.isPending}
            onClick={() => sync.mutate()}
          >
            Sync now
          </Button>
        )}
        <Button isBusy={pause.isPending} onClick={() => pause.mutate()}>
          {isPaused ? "Resume" : "Pause"}
        </Button>
        <Button isDanger onClick={() => setOpen("delete")}>
          Delete…
        </Button>
      </div>
      <Problem error={sync.error ?? pause.error} />
      {open === "approve" && attention !== null && (
        <Approve source={source} attention={attention} onClose={() => setOpen(null)} />
      )}
      {open === "delete" && <DeleteSource source={source} onClose={() => setOpen(null)} />}
    </>
  )
}

interface ApproveProps {
  readonly source: SuppressionSource
  readonly attention: NonNullable<SuppressionSource["attention"]>
  readonly onClose: () => void
}

const Approve = ({ attention, onClose, source }: ApproveProps) => {
  const { id, name } = source
  const approve = useWrite({
    write: () => footfall.suppressionSources.approve(id),
    changes: ruleChanges,
    notice: () => ({ text: isolated`Approved the sync of ${name}` }),
    onDone: onClose,
  })
  return (
    <Confirm
      title={isolated`Remove ${count(attention.removals)} of ${plural(attention.present, "rule")}?`}
      verb={`Remove ${plural(attention.removals, "rule")}`}
      isBusy={approve.isPending}
      error={approve.error}
      onConfirm={() => approve.mutate()}
      onClose={onClose}
    >
      <p className="break">
        {attentionOf(attention)} People whom no other rule matches are then no longer suppressed. If
        the list in <strong>{name}</strong> was emptied by mistake, mend it there and choose Sync
        now instead.
      </p>
    </Confirm>
  )
}

export default Sources
