// The destinations of an audience with their states, and a button to add one.
import type {
  Audience,
  Destination,
  DestinationCreateParams,
  DestinationWithSecret,
} from "@footfall/sdk"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useMe } from "../../session/use-session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Read } from "../../ui/read.tsx"
import { count } from "../../ui/time.tsx"
import { SecretDialog } from "../../webhooks/secret.tsx"
import { useDestinations } from "../queries.ts"
import { destinationState, targetOf } from "../words.ts"
import { footfall } from "../../session/session.ts"
import { ChoiceField, TextField } from "../../ui/field.tsx"
import { FormDialog } from "../../ui/form-dialog.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { listConfig, ListFields, noList, type ListChoice } from "./list-fields.tsx"
import { isRequestReady, requestParams, standardRequest } from "./request-fields.tsx"
import { contactEvent, WebhookFields, type WebhookChoice } from "./webhook-fields.tsx"
import { isolated } from "../../ui/isolated.ts"

export const Destinations = ({ audience }: { readonly audience: Audience }) => {
  const { canWrite } = useMe()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<DestinationWithSecret | null>(null)
  const navigate = useNavigate()
  const query = useDestinations(audience.id)
  /** The destination's page is where it's tested and approved. */
  const open = ({ destination }: DestinationWithSecret) =>
    navigate({
      to: "/audiences/$audienceId/destinations/$destinationId",
      params: { audienceId: audience.id, destinationId: destination.id },
      search: true,
    })
  return (
    <section className="stack" aria-label="Destinations">
      <div className="spread">
        <h2>Destinations</h2>
        {canWrite && <Button onClick={() => setCreating(true)}>Create a destination</Button>}
      </div>
      <Read query={query}>
        {(destinations) =>
          destinations.length === 0 ? (
            <p className="soft">
              No destinations yet. A destination is a webhook or a list that receives the people of
              every completed run.
            </p>
          ) : (
            <ul className="stack">
              {destinations.map((destination) => (
                <Line key={destination.id} destination={destination} />
              ))}
            </ul>
          )
        }
      </Read>
      {isCreating && (
        <CreateDestination
          audienceId={audience.id}
          onClose={() => setCreating(false)}
          onCreated={(made) => {
            setCreating(false)
            if (made.webhookSecret === null) return open(made)
            setCreated(made)
          }}
        />
      )}
      {created?.webhookSecret && (
        <SecretDialog secret={created.webhookSecret} onClose={() => void open(created)} />
      )}
    </section>
  )
}

const Line = ({ destination }: { readonly destination: Destination }) => {
  const { audienceId, id, name, stats } = destination
  const [tone, state] = destinationState(destination)
  return (
    <li className="spread">
      <span className="break">
        <Link
          to="/audiences/$audienceId/destinations/$destinationId"
          params={{ audienceId, destinationId: id }}
          search={true}
        >
          {name}
        </Link>
        <span className="soft small">
          {" "}
          {targetOf(destination)} · {count(stats.totalSynced)} sent
        </span>
      </span>
      <Badge tone={tone}>{state}</Badge>
    </li>
  )
}

// Creates a destination: a webhook, or a list at a mailing list provider or CRM. It stays a draft until someone
// approves it.
interface CreateDestinationProps {
  readonly audienceId: string
  readonly onClose: () => void
  readonly onCreated: (created: DestinationWithSecret) => unknown
}

type Kind = DestinationCreateParams["destinationType"]

const CreateDestination = ({ audienceId, onClose, onCreated }: CreateDestinationProps) => {
  const [kind, setKind] = useState<Kind>("webhook")
  const [name, setName] = useState("")
  const [webhook, setWebhook] = useState<WebhookChoice>({
    url: "",
    eventTypes: [contactEvent],
    isChecked: false,
    ...standardRequest,
  })
  const [list, setList] = useState<ListChoice>(noList)
  const create = useWrite({
    write: () => footfall.destinations.create(audienceId, paramsOf(kind, name, webhook, list)),
    changes: [["audiences", audienceId, "destinations"]],
    notice: ({ destination }) => ({
      text: isolated`Created destination ${destination.name} (draft)`,
    }),
    onDone: onCreated,
  })
  const isReady =
    kind === "webhook"
      ? webhook.eventTypes.length > 0 && isRequestReady(webhook)
      : list.listId !== "" && list.accountId !== ""
  return (
    <FormDialog
      title="Create a destination"
      onClose={onClose}
      isWide
      verb="Create as a draft"
      write={create}
      failure="The destination was not created"
      isReady={isReady}
      onSubmit={() => create.mutate()}
    >
      <TextField label="Name" required maxLength={160} autoFocus value={name} onValue={setName} />
      <ChoiceField
        label="Type"
        choices={[
          { value: "webhook", text: "Webhook: a signed request for each person" },
          { value: "automation", text: "List at your mailing list provider or CRM" },
        ]}
        value={kind}
        onValue={setKind}
      />
      {kind === "webhook" ? (
        <WebhookFields audienceId={audienceId} value={webhook} onValue={setWebhook} />
      ) : (
        <ListFields value={list} onValue={setList} />
      )}
    </FormDialog>
  )
}

const paramsOf = (
  kind: Kind,
  name: string,
  { eventTypes, isChecked, url, ...request }: WebhookChoice,
  list: ListChoice,
): DestinationCreateParams =>
  kind === "webhook"
    ? {
        destinationType: "webhook",
        name: name.trim(),
        url: url.trim(),
        eventTypes,
        validationPolicy: isChecked ? "valid_or_catchall" : "none",
        ...requestParams(request),
      }
    : {
        destinationType: "automation",
        name: name.trim(),
        appSlug: list.appSlug,
        connectedAccountId: list.accountId,
        config: listConfig(list),
        validationPolicy: list.isChecked ? "valid_or_catchall" : "none",
      }
