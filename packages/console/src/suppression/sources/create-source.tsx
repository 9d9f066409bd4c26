// Adds a source: a connected account, a file on a web server, or a list of the organization.
import type {
  ConnectedAccount,
  Integration,
  List,
  SuppressionRuleType,
  SuppressionSourceKind,
  SuppressionSourceCreateParams,
} from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { accountsQuery, integrationsQuery, listsQuery } from "../../queries.ts"
import { footfall } from "../../session/session.ts"
import { ChoiceField, TextField } from "../../ui/field.tsx"
import { FormDialog } from "../../ui/form-dialog.tsx"
import { isolated } from "../../ui/isolated.ts"
import { Problem } from "../../ui/problem.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { ruleChanges } from "../use-rules.ts"
import { ruleTypes, ruleWords } from "../words.ts"

/** What the form holds. `from`: `url`, `list`, or the id of an account. */
interface Draft {
  readonly from: string
  readonly name: string
  readonly listId: string
  readonly people: "all" | "refused"
  readonly url: string
  readonly type: SuppressionRuleType
  readonly authorization: string
  readonly schedule: "hourly" | "daily"
}

const empty: Draft = {
  from: "",
  name: "",
  listId: "",
  people: "all",
  url: "",
  type: "email",
  authorization: "",
  schedule: "daily",
}

const accountText = ({ accountName, appName }: ConnectedAccount): string =>
  accountName === null ? appName : isolated`${accountName} (${appName})`

export const CreateSource = ({ onClose }: { readonly onClose: () => void }) => {
  const accounts = useQuery(accountsQuery)
  const integrations = useQuery(integrationsQuery)
  const lists = useQuery(listsQuery)
  const [draft, setDraft] = useState(empty)
  const change = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed })
  const serviceOf = ({ appSlug }: ConnectedAccount): Integration | undefined =>
    integrations.data?.find((one) => one.appSlug === appSlug)
  const readable = (accounts.data ?? []).filter(
    (account) => serviceOf(account)?.suppressionSource != null,
  )
  const account = readable.find(({ id }) => id === draft.from)
  const needsList =
    account !== undefined && serviceOf(account)?.suppressionSource?.needsList === true
  const nameDefault = account === undefined ? "" : accountText(account)
  const create = useWrite({
    write: () => footfall.suppressionSources.create(paramsOf(draft, account, nameDefault)),
    changes: ruleChanges,
    notice: ({ name }) => ({ text: isolated`Added source ${name}. Its first sync begins now.` }),
    onDone: onClose,
  })
  const isReady =
    (draft.name.trim() !== "" || nameDefault !== "") &&
    (account !== undefined
      ? !needsList || draft.listId !== ""
      : draft.from === "list"
        ? draft.listId !== ""
        : draft.from === "url" && draft.url !== "")
  return (
    <FormDialog
      title="Add a source"
      onClose={onClose}
      verb="Add"
      write={create}
      failure="No source was added"
      isReady={isReady}
      onSubmit={() => create.mutate()}
    >
      <ChoiceField
        label="From"
        choices={[
          { value: "", text: "Choose where the people are" },
          ...readable.map((one) => ({ value: one.id, text: accountText(one) })),
          { value: "url", text: "A file on a web server" },
          { value: "list", text: "One of your lists" },
        ]}
        value={draft.from}
        onValue={(from) => setDraft({ ...empty, name: draft.name, from })}
        hint={
          readable.length > 0 ? undefined : (
            <>
              To read HubSpot, Mailchimp, EmailOctopus, listmonk, Klaviyo or Brevo,{" "}
              <Link to="/connected-accounts">connect an account</Link> first.
            </>
          )
        }
      />
      {account !== undefined && (
        <AccountFields account={account} needsList={needsList} draft={draft} onChange={change} />
      )}
      {draft.from === "url" && <FileFields draft={draft} onChange={change} />}
      {draft.from === "list" && (
        <OwnListField lists={lists.data ?? []} draft={draft} onChange={change} />
      )}
      {draft.from !== "" && (
        <>
          <TextField
            label="Name"
            hint={account === undefined ? "For example Customers." : `Without one: ${nameDefault}.`}
            required={account === undefined}
            maxLength={160}
            value={draft.name}
            onValue={(name) => change({ name })}
          />
          <ChoiceField
            label="Synced"
            choices={[
              { value: "daily", text: "Every day" },
              { value: "hourly", text: "Every hour" },
            ]}
            value={draft.schedule}
            onValue={(schedule) => change({ schedule })}
            hint={
              draft.from === "list"
                ? "A list is also synced within a minute of each change."
                : undefined
            }
          />
        </>
      )}
    </FormDialog>
  )
}

const paramsOf = (
  { authorization, from, listId, name, people, schedule, type, url }: Draft,
  account: ConnectedAccount | undefined,
  nameDefault: string,
): SuppressionSourceCreateParams => {
  const named = { name: name.trim() === "" ? nameDefault : name.trim(), schedule }
  if (account !== undefined) {
    return {
      ...named,
      // Only accounts of such services are offered.
      kind: account.appSlug as SuppressionSourceKind,
      connectedAccountId: account.id,
      people,
      ...(listId === "" ? {} : { listId }),
    }
  }
  if (from === "list") return { ...named, kind: "list", listId }
  return {
    ...named,
    kind: "url",
    url: url.trim(),
    types: [type],
    ...(authorization === "" ? {} : { headers: { authorization } }),
  }
}

interface FieldsProps {
  readonly draft: Draft
  readonly onChange: (changed: Partial<Draft>) => void
}

const AccountFields = ({
  account,
  draft,
  needsList,
  onChange,
}: FieldsProps & { readonly account: ConnectedAccount; readonly needsList: boolean }) => {
  const { appName, appSlug, id } = account
  const lists = useQuery({
    queryKey: ["integrations", "readable-lists", id],
    queryFn: ({ signal }) => footfall.integrations.readableLists(appSlug, id, { signal }),
  })
  if (lists.error !== null) {
    return <Problem error={lists.error} onRetry={() => void lists.refetch()} />
  }
  const none = needsList ? "Choose a list" : `Everyone in ${appName}`
  return (
    <>
      <ChoiceField
        label="List"
        choices={[
          { value: "", text: lists.data === undefined ? "Loading…" : none },
          ...(lists.data ?? []).map((list) => ({ value: list.id, text: list.name })),
        ]}
        required={needsList}
        value={draft.listId}
        onValue={(listId) => onChange({ listId })}
      />
      <ChoiceField
        label="Who"
        choices={[
          { value: "all", text: "Everyone, such as customers" },
          { value: "refused", text: "Only those who refused" },
        ]}
        value={draft.people}
        onValue={(people) => onChange({ people })}
        hint={
          draft.people === "all"
            ? "Everyone there is suppressed, whether they receive mail or not."
            : `People who unsubscribed, bounced, complained or are suppressed in ${appName}.`
        }
      />
    </>
  )
}

const FileFields = ({ draft, onChange }: FieldsProps) => (
  <>
    <TextField
      label="URL"
      type="url"
      hint="An https URL of a CSV, text or NDJSON file, also compressed with gzip."
      required
      maxLength={2_048}
      value={draft.url}
      onValue={(url) => onChange({ url })}
    />
    <ChoiceField
      label="It contains"
      choices={ruleTypes.map((value) => ({ value, text: ruleWords[value].many }))}
      value={draft.type}
      onValue={(type) => onChange({ type })}
    />
    <TextField
      label="Authorization header"
      type="password"
      autoComplete="off"
      hint="If the server asks for one, for example Bearer and a key. It is stored encrypted and never shown again."
      maxLength={2_000}
      value={draft.authorization}
      onValue={(authorization) => onChange({ authorization })}
    />
  </>
)

const OwnListField = ({
  draft,
  lists,
  onChange,
}: FieldsProps & { readonly lists: ReadonlyArray<List> }) => (
  <ChoiceField
    label="List"
    choices={[
      { value: "", text: "Choose a list" },
      ...lists.map(({ id, name, subject }) => ({
        value: id,
        text: isolated`${name} (${subject})`,
      })),
    ]}
    required
    value={draft.listId}
    onValue={(listId) => onChange({ listId })}
    hint={lists.length > 0 ? undefined : "There are no lists yet. Create one under Lists."}
  />
)
