// The filters of an audience. The most common ones are open; the others are behind one line. The
// server lists the industries and states that occur in the data.
import type { AudienceFilters, AudienceFilterValues, ListedAudienceFilter } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"
import { ChoiceField, TextField } from "../ui/field.tsx"
import { filterNames, filterValueWords } from "./words.ts"

interface FiltersProps {
  readonly filters: AudienceFilters
  readonly onFilters: (filters: AudienceFilters) => void
}

type Listed = Exclude<ListedAudienceFilter, "gender" | "isB2b" | "state">
type Text = "jobTitle" | "companyName" | "companyDomain" | "state"
type Presence = "hasBusinessEmail" | "hasPersonalEmail" | "hasLinkedin" | "hasPhone"

const others = {
  listed: ["companyIndustry", "companySize", "companyRevenueRange", "ageRange"],
  text: ["companyName", "companyDomain", "state"],
  presence: ["hasBusinessEmail", "hasPersonalEmail", "hasPhone", "hasLinkedin"],
  one: ["isB2b", "gender"],
} as const

/** spec 2.9 */
const textLengthMax: Readonly<Record<Text, number>> = {
  jobTitle: 200,
  companyName: 255,
  companyDomain: 255,
  state: 100,
}

const hints: Readonly<Partial<Record<Text, string>>> = {
  jobTitle: "Separate alternatives with commas.",
  companyDomain: "The whole domain, such as acme.example.",
}

export const isSet = (value: AudienceFilters[keyof AudienceFilters]): boolean =>
  value !== null && value !== undefined && value.toString() !== ""

export const Filters = (props: FiltersProps) => {
  const { filters } = props
  const { data } = useQuery({
    queryKey: ["audiences", "filters"],
    queryFn: ({ signal }) => footfall.audiences.filters({}, { signal }),
    staleTime: Infinity,
  })
  const set = Object.values(others)
    .flat()
    .filter((name) => isSet(filters[name]))
  return (
    <>
      <List {...props} name="seniority" values={data} />
      <List {...props} name="department" values={data} />
      <TextFilter {...props} name="jobTitle" />
      <details className="more-filters" open={set.length > 0 || undefined}>
        <summary>
          More filters: company, location, contact data
          {set.length > 0 && <span className="soft"> ({set.length} set)</span>}
        </summary>
        <div className="stack">
          {others.listed.map((name) => (
            <List key={name} {...props} name={name} values={data} />
          ))}
          <div className="two">
            {others.text.map((name) => (
              <TextFilter key={name} {...props} name={name} />
            ))}
            {others.presence.map((name) => (
              <PresenceFilter key={name} {...props} name={name} />
            ))}
            {others.one.map((name) => (
              <OneFilter key={name} {...props} name={name} values={data} />
            ))}
          </div>
        </div>
      </details>
    </>
  )
}

interface ListProps extends FiltersProps {
  readonly name: Listed
  /** Undefined until the server has responded. */
  readonly values: AudienceFilterValues | undefined
}

const List = ({ filters, name, onFilters, values }: ListProps) => {
  const chosen: ReadonlyArray<string> = filters[name] ?? []
  // A selected value stays visible even if no one has it any more.
  const choices = [...new Set([...(values?.[name] ?? []), ...chosen])]
  if (choices.length === 0) return null
  return (
    <Choices
      label={filterNames[name]}
      choices={choices}
      wordsOf={(value) => filterValueWords(name, value)}
      chosen={chosen}
      // The server listed these values for this filter.
      onChosen={(next) => onFilters({ ...filters, [name]: next })}
    />
  )
}

const TextFilter = ({ filters, name, onFilters }: FiltersProps & { readonly name: Text }) => (
  <TextField
    label={filterNames[name]}
    hint={hints[name]}
    maxLength={textLengthMax[name]}
    value={filters[name] ?? ""}
    onValue={(text) => onFilters({ ...filters, [name]: text === "" ? null : text })}
  />
)

const PresenceFilter = ({
  filters,
  name,
  onFilters,
}: FiltersProps & { readonly name: Presence }) => {
  const value = filters[name]
  return (
    <ChoiceField
      label={filterNames[name]}
      choices={[
        { value: "any", text: "Any" },
        { value: "true", text: filterValueWords(name, true) },
        { value: "false", text: filterValueWords(name, false) },
      ]}
      value={typeof value === "boolean" ? `${value}` : "any"}
      onValue={(next) => onFilters({ ...filters, [name]: next === "any" ? null : next === "true" })}
    />
  )
}

interface OneProps extends FiltersProps {
  readonly name: "gender" | "isB2b"
  readonly values: AudienceFilterValues | undefined
}

const OneFilter = ({ filters, name, onFilters, values }: OneProps) => (
  <ChoiceField<string>
    label={filterNames[name]}
    choices={[
      { value: "", text: "Any" },
      ...(values?.[name] ?? []).map((value) => ({ value, text: filterValueWords(name, value) })),
    ]}
    value={filters[name] ?? ""}
    onValue={(next) => onFilters({ ...filters, [name]: next === "" ? null : next })}
  />
)

// Values to choose for a filter. No choice means no filter.
interface ChoicesProps<Value extends string> {
  readonly label: string
  readonly choices: ReadonlyArray<Value>
  readonly chosen: ReadonlyArray<Value>
  readonly onChosen: (chosen: ReadonlyArray<Value>) => void
  readonly wordsOf: (value: Value) => string
}

/** From this many choices on, they are in columns, which scroll. */
const manyMin = 12

const Choices = <Value extends string>({
  label,
  choices,
  chosen,
  onChosen,
  wordsOf,
}: ChoicesProps<Value>) => (
  <fieldset>
    <legend className="label">{label}</legend>
    <div className={`choices ${choices.length > manyMin ? "many" : ""}`}>
      {choices.map((value) => (
        <label key={value} className="choice">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChosen(
                target.checked ? [...chosen, value] : chosen.filter((other) => other !== value),
              )
            }
          />
          {wordsOf(value)}
        </label>
      ))}
    </div>
  </fieldset>
)
