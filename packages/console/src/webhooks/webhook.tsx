// One webhook: its state, a test, its history and its changes.
import type { VisitorWebhook, VisitorWebhookCreateParams } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { Copy } from "../ui/copy.tsx"
import { Problem } from "../ui/problem.tsx"
import { Read } from "../ui/read.tsx"
import { Panel, useTitle } from "../ui/screen.tsx"
import { count, share, Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { History } from "./history.tsx"
import { messageWords } from "./message-fields.tsx"
import { usePresent } from "./present.ts"
import { recipientsText, WebhookState } from "./webhooks.tsx"
import { triggerWords } from "./trigger.ts"
import { Confirm } from "../ui/confirm.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { againChoices, pageWords } from "./alert-fields.tsx"
import { WebhookForm } from "./create-webhook.tsx"
import { SecretDialog } from "./secret.tsx"
import { isolated } from "../ui/isolated.ts"

const WebhookPanel = () => {
  const { webhookId } = useParams({ from: "/signed/webhooks/$webhookId" })
  const navigate = useNavigate()
  const close = () => navigate({ to: "/webhooks", search: true })
  const query = useQuery({
    queryKey: ["webhooks", webhookId],
    queryFn: ({ signal }) => footfall.webhooks.get(webhookId, { signal }),
    refetchInterval: 30_000,
  })
  return (
    <Panel label="webhook" onClose={() => void close()}>
      <Read query={query}>
        {(webhook) => <Content key={webhookId} webhook={webhook} onDeleted={close} />}
      </Read>
    </Panel>
  )
}

interface ContentProps {
  readonly webhook: VisitorWebhook
  readonly onDeleted: () => unknown
}

const Content = ({ webhook, onDeleted }: ContentProps) => {
  const { canWrite } = useMe()
  useTitle(webhook.name)
  return (
    <>
      <header className="stack">
        <h1 className="name break">{webhook.name}</h1>
        <div className="row">
          <WebhookState webhook={webhook} />
        </div>
      </header>
      <Facts webhook={webhook} />
      {canWrite && <Test webhook={webhook} />}
      <History webhookId={webhook.id} />
      {canWrite && <WebhookChanges webhook={webhook} onDeleted={onDeleted} />}
    </>
  )
}

const Facts = ({ webhook }: { readonly webhook: VisitorWebhook }) => {
  const { stats, trigger, url } = webhook
  const page = pageWords(webhook)
  const { presentSegment, presentSite } = usePresent(webhook)
  return (
    <dl className="facts">
      {url === null ? (
        <>
          <dt>Recipients</dt>
          <dd>{recipientsText(webhook)}</dd>
        </>
      ) : (
        <>
          <dt>URL</dt>
          <dd>
            <Copy text={url} label="address" />
          </dd>
        </>
      )}
      <dt>Sends</dt>
      <dd>{messageWords(webhook)}</dd>
      <dt>When</dt>
      <dd>{triggerWords[trigger]}</dd>
      {page !== undefined && (
        <>
          <dt>Page</dt>
          <dd className="break">{page}</dd>
        </>
      )}
      <dt>Who</dt>
      <dd>{trigger === "company_seen" ? "every company" : (presentSegment ?? "everyone")}</dd>
      {webhook.again !== null && (
        <>
          <dt>Again</dt>
          <dd>{againChoices.find(({ value }) => value === webhook.again)?.text.toLowerCase()}</dd>
        </>
      )}
      <dt>Site</dt>
      <dd>{presentSite ?? "all sites"}</dd>
      <dt>Sent</dt>
      <dd>
        {count(stats.succeeded)}, failed {count(stats.failed)}
        {stats.successRate !== null && ` (${share(stats.successRate)} succeeded)`}
      </dd>
      {stats.lastErrorAt !== null && (
        <>
          <dt>Last error</dt>
          <dd>
            <Time at={stats.lastErrorAt} />: {stats.lastErrorMessage}
            {webhook.retrying !== null && (
              <p className="soft small">
                Each event is tried 8 times within 41 hours. Then it counts as failed.
              </p>
            )}
          </dd>
        </>
      )}
    </dl>
  )
}

const Test = ({ webhook }: { readonly webhook: VisitorWebhook }) => {
  const test = useWrite({ write: () => footfall.webhooks.test(webhook.id) })
  const { data } = test
  return (
    <section className="stack" aria-label="Test">
      <div className="spread">
        <h2>Test</h2>
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? "Sending…" : "Send a sample event"}
        </Button>
      </div>
      <Problem error={test.error} />
      <div role="status">
        {data !== undefined && (
          <p className="break">
            <Badge tone={data.ok ? "good" : "bad"}>{data.ok ? "received" : "failed"}</Badge>{" "}
            {data.statusCode === null
              ? data.ok
                ? "sent"
                : "no response"
              : `HTTP ${data.statusCode}`}{" "}
            after {data.latencyMs} ms{data.error !== null && `: ${data.error}`}
          </p>
        )}
      </div>
    </section>
  )
}

// What a member can do with a webhook: edit it, turn it on or off, rotate its secret, and delete it.
const changes = [["webhooks"]]

interface WebhookChangesProps {
  readonly webhook: VisitorWebhook
  readonly onDeleted: () => unknown
}

const WebhookChanges = ({ webhook, onDeleted }: WebhookChangesProps) => {
  const { id, name, status } = webhook
  const [opened, setOpened] = useState<"edit" | "rotate" | "delete" | null>(null)
  const close = () => setOpened(null)
  const isActive = status === "active"
  const turn = useWrite({
    write: () => footfall.webhooks.update(id, { status: isActive ? "inactive" : "active" }),
    changes,
    notice: () => ({
      text: isActive ? isolated`Turned off ${name}` : isolated`Turned on ${name}`,
    }),
  })
  const edit = useWrite({
    write: (params: VisitorWebhookCreateParams) => footfall.webhooks.update(id, params),
    changes,
    notice: (changed) => ({ text: isolated`Saved ${changed.name}` }),
    onDone: close,
  })
  const rotate = useWrite({ write: () => footfall.webhooks.rotateSecret(id), changes })
  const remove = useWrite({
    write: () => footfall.webhooks.delete(id),
    changes,
    notice: () => ({ text: isolated`Deleted alert ${name}` }),
    onDone: onDeleted,
  })
  return (
    <section className="stack" aria-label="Actions">
      <div className="row">
        <Button onClick={() => setOpened("edit")}>Edit</Button>
        <Button isBusy={turn.isPending} onClick={() => turn.mutate()}>
          {isActive ? "Turn off" : "Turn on"}
        </Button>
        {webhook.signingVersion !== null && (
          <Button onClick={() => setOpened("rotate")}>Rotate secret…</Button>
        )}
        <Button isDanger onClick={() => setOpened("delete")}>
          Delete…
        </Button>
      </div>
      <Problem error={turn.error} />
      {opened === "edit" && (
        <Dialog
          isForm
          isWhole
          title={isolated`Edit ${name}`}
          onClose={close}
          isBusy={edit.isPending}
        >
          <WebhookForm
            verb="Save"
            webhook={webhook}
            isBusy={edit.isPending}
            error={edit.error}
            onSave={edit.mutate}
            onClose={close}
          />
        </Dialog>
      )}
      {opened === "rotate" && rotate.data === undefined && (
        <Confirm
          title="Rotate the signing secret?"
          verb="Rotate secret"
          isBusy={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate()}
          onClose={close}
        >
          <p>Events are signed with both secrets for 24 hours, then only with the new one.</p>
        </Confirm>
      )}
      {opened === "rotate" && rotate.data !== undefined && (
        <SecretDialog
          secret={rotate.data.webhookSecret}
          onClose={() => {
            rotate.reset()
            close()
          }}
        />
      )}
      {opened === "delete" && (
        <Confirm
          title={isolated`Delete alert ${name}?`}
          verb="Delete"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          <p>The server stops sending to it and skips its queued events.</p>
        </Confirm>
      )}
    </section>
  )
}

export default WebhookPanel
