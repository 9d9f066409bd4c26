// Fields for a destination at a mailing list provider or CRM: the account, the list, the field mapping, and what the
// service can do besides.
import type {
  AppSlug,
  AutomationConfigParams,
  AutomationDestination,
  Integration,
  MailingList,
  MappedAttribute,
  OnLeave,
} from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { CheckField, ChoiceField, TextField } from "../../ui/field.tsx"
import { Problem } from "../../ui/problem.tsx"
import { Read } from "../../ui/read.tsx"
import { count } from "../../ui/time.tsx"
import { accountsQuery, integrationsQuery } from "../../queries.ts"
import { listsQuery } from "../queries.ts"
import { isolated } from "../../ui/isolated.ts"

export interface ListChoice {
  readonly accountId: string
  /** The service of the account. */
  readonly appSlug: AppSlug
  readonly listId: string
  readonly listName: string
  /** Keyed by the tag of the list's field. */
  readonly fieldMapping: ReadonlyMap<string, MappedAttribute>
  /** Comma-separated. */
  readonly tags: string
  /** Undefined: the service's default. */
  readonly newContactStatus: AutomationConfigParams["newContactStatus"]
  readonly onLeave: OnLeave
  readonly eraseAtProvider: boolean
  readonly isChecked: boolean
}

export const noList: ListChoice = {
  accountId: "",
  appSlug: "mailer",
  listId: "",
  listName: "",
  fieldMapping: new Map(),
  tags: "",
  newContactStatus: undefined,
  onLeave: "keep",
  eraseAtProvider: false,
  isChecked: true,
}

/** The current choice. */
export const listChoiceOf = ({
  automation,
  validationPolicy,
}: AutomationDestination): ListChoice => ({
  accountId: automation.connectedAccount.id,
  appSlug: automation.appSlug,
  listId: automation.config.listId,
  listName: automation.config.listName ?? "",
  fieldMapping: new Map(Object.entries(automation.config.fieldMapping)),
  tags: automation.config.tags.join(", "),
  newContactStatus: automation.config.newContactStatus,
  onLeave: automation.config.onLeave,
  eraseAtProvider: automation.config.eraseAtProvider,
  isChecked: validationPolicy !== "none",
})

export const listConfig = ({
  eraseAtProvider,
  fieldMapping,
  listId,
  listName,
  newContactStatus,
  onLeave,
  tags,
}: ListChoice): AutomationConfigParams => ({
  listId,
  listName,
  fieldMapping: Object.fromEntries(fieldMapping),
  tags: tags
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== ""),
  newContactStatus,
  onLeave,
  eraseAtProvider,
})

const attributes: ReadonlyArray<readonly [attribute: MappedAttribute, text: string]> = [
  ["firstName", "First name"],
  ["lastName", "Last name"],
  ["fullName", "Full name"],
  ["jobTitle", "Job title"],
  ["headline", "Headline"],
  ["seniority", "Seniority"],
  ["department", "Department"],
  ["linkedinUrl", "LinkedIn"],
  ["company.name", "Company"],
  ["company.domain", "Company domain"],
  ["company.industry", "Industry"],
  ["company.industryGroup", "Industry group"],
  ["company.revenueRange", "Revenue"],
  ["company.linkedinUrl", "Company on LinkedIn"],
  ["geo.city", "City"],
  ["geo.state", "State"],
  ["geo.country", "Country"],
  ["intent.score", "Score"],
  ["intent.topicOverlap", "Number of topics"],
  ["intent.matchedTopics", "Topics"],
]

interface ListFieldsProps {
  readonly value: ListChoice
  readonly onValue: (value: ListChoice) => void
}

export const ListFields = ({ value, onValue }: ListFieldsProps) => {
  const accounts = useQuery(accountsQuery)
  return (
    <Read query={accounts}>
      {(all) => {
        const healthy = all.filter(({ status }) => status === "healthy")
        return healthy.length === 0 ? (
          <p>
            No connected accounts. <Link to="/connected-accounts">Connect an account</Link> at your
            mailing list provider or CRM first.
          </p>
        ) : (
          <>
            <ChoiceField
              label="Account"
              choices={[
                { value: "", text: "Choose an account" },
                ...healthy.map(({ accountName, appName, id }) => ({
                  value: id,
                  text: accountName === null ? appName : isolated`${accountName} (${appName})`,
                })),
              ]}
              value={value.accountId}
              onValue={(accountId) => {
                const appSlug = healthy.find(({ id }) => id === accountId)?.appSlug ?? "mailer"
                onValue({ ...noList, accountId, appSlug })
              }}
            />
            {value.accountId !== "" && <ListOfAccount value={value} onValue={onValue} />}
          </>
        )
      }}
    </Read>
  )
}

export const ListOfAccount = ({ value, onValue }: ListFieldsProps) => {
  const lists = useQuery(listsQuery({ appSlug: value.appSlug, id: value.accountId }))
  const integrations = useQuery(integrationsQuery)
  const service = integrations.data?.find(({ appSlug }) => appSlug === value.appSlug)
  const list = lists.data?.find(({ id }) => id === value.listId)
  if (lists.error !== null) {
    return <Problem error={lists.error} onRetry={() => void lists.refetch()} />
  }
  return (
    <>
      <ChoiceField
        label="List"
        choices={[
          { value: "", text: lists.data === undefined ? "Loading…" : "Choose a list" },
          ...(lists.data ?? []).map(({ counts, id, name }) => ({
            value: id,
            text:
              counts === null ? name : isolated`${name} (${count(counts.subscribed)} subscribed)`,
          })),
        ]}
        value={value.listId}
        onValue={(listId) => {
          const name = lists.data?.find(({ id }) => id === listId)?.name ?? ""
          onValue({ ...value, listId, listName: name, fieldMapping: new Map() })
        }}
        hint={
          list?.doubleOptIn === true
            ? "New people are pending until they confirm."
            : "New people get the list's own opt-in. People who are already there keep their status."
        }
      />
      {list !== undefined && <Mapping list={list} value={value} onValue={onValue} />}
      {service !== undefined && <Abilities service={service} value={value} onValue={onValue} />}
      <CheckField
        label="Skip people whose address may not accept mail"
        value={value.isChecked}
        onValue={(isChecked) => onValue({ ...value, isChecked })}
      />
    </>
  )
}

const leavings: Readonly<Record<OnLeave, string>> = {
  keep: "They stay on the list",
  remove_tag: "They lose the audience's tag",
  remove_from_list: "They leave the list, if this destination added them",
}

/** What the service can do besides. */
const Abilities = ({
  service,
  value,
  onValue,
}: ListFieldsProps & { readonly service: Integration }) => (
  <>
    {service.hasTags && (
      <TextField
        label="Tags"
        hint="Separated by commas. Everyone also gets a tag for the audience."
        value={value.tags}
        onValue={(tags) => onValue({ ...value, tags })}
      />
    )}
    {service.newContactStatuses.length > 1 && (
      <CheckField
        label="Subscribe new people where the list has no double opt-in"
        value={value.newContactStatus === "SUBSCRIBED"}
        onValue={(isAsked) =>
          onValue({ ...value, newContactStatus: isAsked ? "SUBSCRIBED" : null })
        }
      />
    )}
    {service.onLeave.length > 1 && (
      <ChoiceField
        label="People who leave the audience"
        choices={service.onLeave.map((onLeave) => ({ value: onLeave, text: leavings[onLeave] }))}
        hint="People who unsubscribed are never removed, so that the service remembers it."
        value={value.onLeave}
        onValue={(onLeave) => onValue({ ...value, onLeave })}
      />
    )}
    {service.canErase && (
      <CheckField
        label="Delete people there whom you erase here, if this destination added them"
        value={value.eraseAtProvider}
        onValue={(eraseAtProvider) => onValue({ ...value, eraseAtProvider })}
      />
    )}
  </>
)

const Mapping = ({ list, value, onValue }: ListFieldsProps & { readonly list: MailingList }) => (
  <fieldset className="stack">
    <legend className="label">List fields</legend>
    {list.fields.map(({ label, tag }) => (
      <ChoiceField
        key={tag}
        label={label}
        choices={[
          { value: "" as const, text: "Leave empty" },
          ...attributes.map(([attribute, text]) => ({ value: attribute, text })),
        ]}
        value={value.fieldMapping.get(tag) ?? ""}
        onValue={(attribute) => {
          const fieldMapping = new Map(value.fieldMapping)
          if (attribute === "") fieldMapping.delete(tag)
          else fieldMapping.set(tag, attribute)
          onValue({ ...value, fieldMapping })
        }}
      />
    ))}
  </fieldset>
)
