// One pixel: its tag, whether events arrive, its settings, topic rules and sources, and buttons to pause and delete it.
import type { PixelWithCode } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { Copy, Snippet } from "../ui/copy.tsx"
import { Problem } from "../ui/problem.tsx"
import { Read } from "../ui/read.tsx"
import { Panel, useTitle } from "../ui/screen.tsx"
import { Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { Findings } from "./findings.tsx"
import { pixelPollMs, PixelState } from "./pixels.tsx"
import { Settings } from "./settings.tsx"
import { SharedUserIds } from "./shared-user-ids.tsx"
import { Sources } from "./sources.tsx"
import { TopicRules } from "./topic-rules.tsx"
import { isolated } from "../ui/isolated.ts"

const PixelPanel = () => {
  const { pixelId } = useParams({ from: "/signed/pixels/$pixelId" })
  const navigate = useNavigate()
  const close = () => navigate({ to: "/pixels", search: true })
  const query = useQuery({
    queryKey: ["pixels", pixelId],
    queryFn: ({ signal }) => footfall.pixels.get(pixelId, { signal }),
    refetchInterval: ({ state }) => pixelPollMs(state.data === undefined ? [] : [state.data]),
  })
  return (
    <Panel label="pixel" onClose={() => void close()}>
      <Read query={query}>
        {(pixel) => <Content key={pixelId} pixel={pixel} onDeleted={close} />}
      </Read>
    </Panel>
  )
}

interface ContentProps {
  readonly pixel: PixelWithCode
  readonly onDeleted: () => unknown
}

const Content = ({ pixel, onDeleted }: ContentProps) => {
  const { canWrite } = useMe()
  const { code, createdAt, domain, embed, id, lastEventAt, name } = pixel
  useTitle(domain)
  return (
    <>
      <header className="stack">
        <h1 className="name break">{domain}</h1>
        {name !== domain && <p className="break">{name}</p>}
        <div className="row">
          <PixelState pixel={pixel} />
        </div>
      </header>
      <section className="stack" aria-label="Tag">
        <h2>The tag</h2>
        <p className="soft">
          Paste it in the <code>&lt;head&gt;</code> of every page, or in a custom HTML tag in your
          tag manager.
        </p>
        <Snippet text={code} label="tag" />
        <details className="stack">
          <summary>Content security policy and pinned version</summary>
          <dl className="facts">
            <dt>script-src</dt>
            <dd>
              <Copy text={embed.contentSecurityPolicy.scriptSrc} label="script-src" />
            </dd>
            <dt>connect-src</dt>
            <dd>
              <Copy text={embed.contentSecurityPolicy.connectSrc} label="connect-src" />
            </dd>
          </dl>
          <Snippet text={embed.immutable.code} label="pinned tag" />
        </details>
      </section>
      {canWrite && <Findings pixelId={id} />}
      <Settings pixel={pixel} />
      <TopicRules pixel={pixel} />
      {canWrite && <SharedUserIds pixelId={id} />}
      {canWrite && <Sources pixelId={id} />}
      <dl className="facts">
        <dt>Last event</dt>
        <dd>
          <Time at={lastEventAt} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={createdAt} shape="full" />
        </dd>
        <dt>Id</dt>
        <dd>
          <Copy text={id} label="id" />
        </dd>
      </dl>
      {canWrite && <Changes pixel={pixel} onDeleted={onDeleted} />}
    </>
  )
}

const Changes = ({ pixel, onDeleted }: ContentProps) => {
  const [isDeleting, setDeleting] = useState(false)
  const { domain, id, status } = pixel
  const isPaused = status === "paused"
  const pause = useWrite({
    write: () => footfall.pixels.update(id, { status: isPaused ? "active" : "paused" }),
    changes: [["pixels"]],
    notice: () => ({
      text: isPaused ? isolated`Resumed ${domain}` : isolated`Paused ${domain}`,
    }),
  })
  const remove = useWrite({
    write: () => footfall.pixels.delete(id),
    changes: [["pixels"], ["account"]],
    notice: () => ({ text: isolated`Deleted ${domain}` }),
    onDone: onDeleted,
  })
  return (
    <section className="stack" aria-label="Pause and delete">
      <div className="row">
        <Button isBusy={pause.isPending} onClick={() => pause.mutate()}>
          {isPaused ? "Resume" : "Pause"}
        </Button>
        <Button isDanger onClick={() => setDeleting(true)}>
          Delete…
        </Button>
      </div>
      <Problem error={pause.error} />
      {isDeleting && (
        <Confirm
          title={isolated`Delete the site ${domain}?`}
          verb="Delete"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        >
          <p>It stops recording immediately. Data that it recorded stays.</p>
        </Confirm>
      )}
    </section>
  )
}

export default PixelPanel
