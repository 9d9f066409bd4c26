// One audience: its criteria, its state, how many people match now, its runs and its destinations.
import type { Audience } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { segmentQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { Problem } from "../ui/problem.tsx"
import { Read } from "../ui/read.tsx"
import { Panel, useTitle } from "../ui/screen.tsx"
import { plural, Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { AudienceState } from "./audiences.tsx"
import { Builder } from "./builder.tsx"
import { audienceWords, filterNames, filtersOrder, filterValueWords } from "./words.ts"
import { isSet } from "./filters.tsx"
import { Destinations } from "./destinations/destinations.tsx"
import { Preview } from "./preview.tsx"
import { useAudience } from "./queries.ts"
import { Runs } from "./runs/runs.tsx"
import { isolated } from "../ui/isolated.ts"
import "./audiences.css"

const AudiencePanel = () => {
  const { audienceId } = useParams({ from: "/signed/audiences/$audienceId" })
  const navigate = useNavigate()
  const close = () => navigate({ to: "/audiences", search: true })
  const query = useAudience(audienceId)
  return (
    <Panel label="audience" onClose={() => void close()}>
      <Read query={query}>
        {(audience) => <Content key={audienceId} audience={audience} onDeleted={close} />}
      </Read>
    </Panel>
  )
}

interface ContentProps {
  readonly audience: Audience
  readonly onDeleted: () => unknown
}

const Content = ({ audience, onDeleted }: ContentProps) => {
  const { canWrite } = useMe()
  const { config, name, status } = audience
  const { filters, maxScore, minScore, minTopicOverlap, segmentId, topicIds } = config
  useTitle(name)
  const set = filtersOrder.filter((name) => isSet(filters[name]))
  const segment = useQuery({ ...segmentQuery(segmentId ?? ""), enabled: segmentId !== null })
  const preview = (
    <Preview config={{ segmentId, topicIds, minScore, maxScore, minTopicOverlap, filters }} />
  )
  return (
    <>
      <header className="stack">
        <h1 className="name break">{name}</h1>
        <p>
          <AudienceState status={status} />
        </p>
        <p className="soft">{audienceWords(audience)}</p>
      </header>
      {canWrite && <Changes audience={audience} onDeleted={onDeleted} />}
      <dl className="facts">
        {segmentId !== null && (
          <div className="contents">
            <dt>View</dt>
            <dd>{segment.data?.name ?? "…"}</dd>
          </div>
        )}
        {topicIds.length > 0 && (
          <div className="contents">
            <dt>Topics</dt>
            <dd>{config.topics.map(({ topicName }) => topicName).join(", ")}</dd>
            <dt>Score</dt>
            <dd>
              {minScore} to {maxScore}
              {minTopicOverlap > 1 && ` in at least ${minTopicOverlap} topics`}
            </dd>
          </div>
        )}
        {set.map((name) => (
          <div key={name} className="contents">
            <dt>{filterNames[name]}</dt>
            <dd>
              {[filters[name] ?? []]
                .flat()
                .map((value) => filterValueWords(name, value))
                .join(", ")}
            </dd>
          </div>
        ))}
        <dt>Last run</dt>
        <dd>
          <Time at={audience.lastRefreshedAt} />
          {audience.lastRefreshedAt !== null &&
            `: ${plural(audience.audienceSize, "person", "people")}`}
        </dd>
      </dl>
      {status === "draft" && preview}
      <Runs audience={audience} />
      <Destinations audience={audience} />
      {status !== "draft" && preview}
    </>
  )
}

const Changes = ({ audience, onDeleted }: ContentProps) => {
  const { id, name, status } = audience
  const [isDeleting, setDeleting] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const isActive = status === "active"
  const turn = useWrite({
    write: () => (isActive ? footfall.audiences.pause(id) : footfall.audiences.activate(id)),
    changes: [["audiences"], ["account"]],
    notice: () => ({ text: isActive ? isolated`Paused ${name}` : isolated`Activated ${name}` }),
  })
  const remove = useWrite({
    write: () => footfall.audiences.delete(id),
    changes: [["audiences"], ["account"]],
    notice: () => ({ text: isolated`Deleted audience ${name}` }),
    onDone: onDeleted,
  })
  return (
    <section className="stack" aria-label="Actions">
      <div className="row">
        <Button
          kind={isActive ? "normal" : "primary"}
          isBusy={turn.isPending}
          onClick={() => turn.mutate()}
        >
          {isActive ? "Pause" : "Activate"}
        </Button>
        <Button onClick={() => setEditing(true)}>Edit</Button>
        <Button isDanger onClick={() => setDeleting(true)}>
          Delete…
        </Button>
      </div>
      <Problem error={turn.error} />
      {isEditing && <Builder audience={audience} onClose={() => setEditing(false)} />}
      {isDeleting && (
        <Confirm
          title={isolated`Delete audience ${name}?`}
          verb="Delete"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        >
          <p>
            This also deletes its destinations and cancels queued runs and deliveries. Contacts that
            were already delivered stay with their receivers.
          </p>
        </Confirm>
      )}
    </section>
  )
}

export default AudiencePanel
