// Webhooks send an event to a URL when a person is identified.
import type { VisitorWebhook } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useMatch } from "@tanstack/react-router"
import { useState } from "react"
import { useCreating } from "../frame/creating.ts"
import { webhooksQuery } from "../queries.ts"
import { useMe } from "../session/use-session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { Empty } from "../ui/empty.tsx"
import { List, type Column } from "../ui/list.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { count, Time } from "../ui/time.tsx"
import { CreateWebhook } from "./create-webhook.tsx"
import { SecretDialog } from "./secret.tsx"
import { triggerWords } from "./trigger.ts"

export const WebhookState = ({ webhook }: { readonly webhook: VisitorWebhook }) => {
  if (webhook.pixelDeleted) return <Badge tone="warn">pixel deleted</Badge>
  if (webhook.status === "auto_disabled") return <Badge tone="bad">stopped after failures</Badge>
  if (webhook.status === "inactive") return <Badge>inactive</Badge>
  if (webhook.retrying !== null) {
    return <Badge tone="warn">retrying, {count(webhook.retrying.count)} failed</Badge>
  }
  return <Badge tone="good">active</Badge>
}

/** Only the host: the URL of a chat channel is like a password. */
const masked = (url: string): string => {
  const { host, pathname, search } = new URL(url)
  return pathname + search === "/" ? host : `${host}/…`
}

/** For example `2 members`. */
export const recipientsText = ({ recipients }: VisitorWebhook): string => {
  const { length } = recipients ?? []
  return length === 1 ? "1 member" : `${count(length)} members`
}

const columns: ReadonlyArray<Column<VisitorWebhook>> = [
  {
    id: "name",
    title: "Name",
    width: "minmax(9rem, 2fr)",
    cell: (webhook) => (
      <>
        <Link
          className="open cut"
          to="/webhooks/$webhookId"
          params={{ webhookId: webhook.id }}
          search={true}
        >
          {webhook.name}
        </Link>
        <p className="cut soft small">
          {webhook.url === null ? recipientsText(webhook) : masked(webhook.url)}
        </p>
      </>
    ),
  },
  {
    id: "state",
    title: "State",
    width: "11rem",
    cell: (webhook) => (
      <>
        <WebhookState webhook={webhook} />
        {webhook.stats.failed > 0 && (
          <p className="on-phones small">{count(webhook.stats.failed)} failed</p>
        )}
        {webhook.retrying !== null && <p className="cut small">{webhook.retrying.errorMessage}</p>}
      </>
    ),
  },
  {
    id: "when",
    title: "When",
    width: "8rem",
    from: 840,
    cell: ({ trigger }) => triggerWords[trigger],
  },
  {
    id: "sent",
    title: "Sent",
    width: "5rem",
    isNumber: true,
    from: 480,
    cell: ({ stats }) => count(stats.succeeded),
  },
  {
    id: "failed",
    title: "Failed",
    width: "5rem",
    isNumber: true,
    from: 560,
    cell: ({ stats }) => count(stats.failed),
  },
  {
    id: "last",
    title: "Last sent",
    width: "7rem",
    isNumber: true,
    from: 700,
    cell: ({ stats }) => <Time at={stats.lastDeliveredAt} />,
  },
]

const Webhooks = () => {
  const { canWrite } = useMe()
  const [isCreating, setCreating] = useCreating("/webhooks")
  const [secret, setSecret] = useState<string | null>(null)
  const query = useQuery(webhooksQuery)
  const openKey = useMatch({ from: "/signed/webhooks/$webhookId", shouldThrow: false })?.params
    .webhookId
  const create = canWrite && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create an alert
    </Button>
  )
  return (
    <Screen
      title="Alerts"
      isFilled
      actions={create}
      panel={openKey === undefined ? undefined : <Outlet />}
    >
      <Read query={query}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty title="No webhooks yet" action={create}>
              A webhook sends an event to your CRM, your automation tool or your own program when a
              person is identified.
            </Empty>
          ) : (
            <List
              label="Alerts"
              columns={columns}
              rows={webhooks}
              keyOf={({ id }) => id}
              openKey={openKey}
            />
          )
        }
      </Read>
      {isCreating && (
        <CreateWebhook
          onClose={() => setCreating(false)}
          onCreated={({ webhookSecret }) => {
            setCreating(false)
            setSecret(webhookSecret)
          }}
        />
      )}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </Screen>
  )
}

export default Webhooks
