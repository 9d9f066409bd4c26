// What a member can do with a webhook: edit it, turn it on or off, rotate its secret, and delete it.
import type { VisitorWebhook, VisitorWebhookCreateParams } from "@footfall/sdk"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"
import { WebhookForm } from "./create-webhook.tsx"
import { SecretDialog } from "./secret.tsx"

const changes = [["webhooks"]]

interface WebhookChangesProps {
  readonly webhook: VisitorWebhook
  readonly onDeleted: () => unknown
}

export const WebhookChanges = ({ webhook, onDeleted }: WebhookChangesProps) => {
  const { id, name, status } = webhook
  const [opened, setOpened] = useState<"edit" | "rotate" | "delete" | null>(null)
  const close = () => setOpened(null)
  const isActive = status === "active"
  const turn = useWrite({
    write: () => footfall.webhooks.update(id, { status: isActive ? "inactive" : "active" }),
    changes,
    notice: () => ({ text: isActive ? `${name} is off` : `${name} is on` }),
  })
  const edit = useWrite({
    write: (params: VisitorWebhookCreateParams) => footfall.webhooks.update(id, params),
    changes,
    notice: (changed) => ({ text: `Saved ${changed.name}` }),
    onDone: close,
  })
  const rotate = useWrite({ write: () => footfall.webhooks.rotateSecret(id), changes })
  const remove = useWrite({
    write: () => footfall.webhooks.delete(id),
    changes,
    notice: () => ({ text: `Deleted webhook ${name}` }),
    onDone: onDeleted,
  })
  return (
    <section className="stack" aria-label="Change">
      <div className="row">
        <Button onClick={() => setOpened("edit")}>Edit</Button>
        <Button isBusy={turn.isPending} onClick={() => turn.mutate()}>
          {isActive ? "Turn off" : "Turn on"}
        </Button>
        <Button onClick={() => setOpened("rotate")}>New secret…</Button>
        <Button isDanger onClick={() => setOpened("delete")}>
          Delete…
        </Button>
      </div>
      <Problem error={turn.error} />
      {opened === "edit" && (
        <Dialog title={`Edit ${name}`} onClose={close} isBusy={edit.isPending}>
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
          title="Make a new signing secret?"
          verb="Make a new secret"
          isBusy={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate()}
          onClose={close}
        >
          <p>
            For 24 hours events are signed with both secrets; after that with the new one alone.
          </p>
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
          title={`Delete webhook ${name}?`}
          verb="Delete"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          <p>Nothing more is sent to it. Its queued events are skipped.</p>
        </Confirm>
      )}
    </section>
  )
}
