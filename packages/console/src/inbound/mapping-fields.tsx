// A mapping by clicking: a sample of what the tool sends, its values to click, the fields that they fill, and what
// would arrive.
import type { InboundPreset, InboundRecordKind } from "@footfall/sdk"
import { useId, useState } from "react"
import { AreaField, ChoiceField, TextField, type Choice } from "../ui/field.tsx"
import { plural } from "../ui/time.tsx"
import {
  customPrefix,
  fieldWords,
  filled,
  mappingOf,
  otherFields,
  type MappingDraft,
  type MappingField,
} from "./mapping.ts"
import { Preview } from "./preview.tsx"
import { placesIn, recordOf, valuesIn, type SampleValue } from "./sample.ts"

const kinds: ReadonlyArray<Choice<InboundRecordKind>> = [
  { value: "person", text: "A person" },
  { value: "company", text: "A company" },
]

interface Sample {
  /** Undefined: nothing, or no JSON. */
  readonly json?: unknown
  readonly wrong?: string
}

const readSample = (text: string): Sample => {
  if (text.trim() === "") return {}
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === "object" && json !== null
      ? { json }
      : { wrong: "A sample is an object in braces, or several in brackets." }
  } catch (error) {
    return { wrong: `This is no JSON. ${error instanceof Error ? error.message : ""}` }
  }
}

interface MappingFieldsProps {
  readonly preset: InboundPreset
  readonly value: MappingDraft
  readonly onValue: (value: MappingDraft) => void
}

export const MappingFields = ({ onValue, preset, value }: MappingFieldsProps) => {
  const [text, setText] = useState("")
  const [place, setPlace] = useState(0)
  const { json, wrong } = readSample(text)
  const places = json === undefined ? [] : placesIn(json)
  const isElsewhere = value.each !== "" && !places.some(({ each }) => each === value.each)
  const record =
    value.each === "" ? recordOf(json) : places.find(({ each }) => each === value.each)?.first
  const target = value.fields[place]
  const fill = ({ path }: SampleValue): void => {
    const { draft, next } = filled(value, place, path)
    onValue(draft)
    setPlace(next)
  }
  return (
    <section className="mapping" aria-label="Mapping">
      <div className="stack">
        <h3>What it sends</h3>
        <AreaField
          label="Sample"
          hint="Paste one request of the tool, in JSON. It is not kept."
          wrong={wrong}
          value={text}
          onValue={setText}
        />
        {(places.length > 0 || isElsewhere) && (
          <ChoiceField
            label="Records"
            choices={[
              { value: "", text: "The whole sample is one record" },
              ...places.map(({ count, each }) => ({
                value: each,
                text: `Each of the ${plural(count, "entry", "entries")} of ${each}`,
              })),
              ...(isElsewhere ? [{ value: value.each, text: `Each of ${value.each}` }] : []),
            ]}
            value={value.each}
            onValue={(each) => onValue({ ...value, each })}
          />
        )}
        {json !== undefined && (
          <Values record={record} target={target && fieldWords(target.field)} onChoose={fill} />
        )}
      </div>
      <div className="stack">
        <h3>What it becomes</h3>
        <ChoiceField
          label="A record is"
          choices={kinds}
          value={value.kind}
          onValue={(kind) => onValue({ ...value, kind })}
          hint={
            value.kind === "person"
              ? "Fill Email. A record without one is a visit of its company, if you fill its website."
              : "Fill Company website or Company domain. No one is named."
          }
        />
        <Fields
          value={value}
          place={place}
          onPlace={setPlace}
          onValue={(fields) => onValue({ ...value, fields })}
        />
        <ChoiceField
          label="Another field"
          choices={[{ value: "", text: "Choose a field to add" }, ...otherFields(value)]}
          value=""
          onValue={(field) => {
            if (field === "") return
            onValue({ ...value, fields: [...value.fields, { field, source: "" }] })
            setPlace(value.fields.length)
          }}
        />
      </div>
      {json !== undefined && <Preview preset={preset} mapping={mappingOf(value)} sample={json} />}
    </section>
  )
}

interface ValuesProps {
  readonly record: unknown
  /** The field that a click fills. */
  readonly target: string | undefined
  readonly onChoose: (value: SampleValue) => void
}

const Values = ({ onChoose, record, target = "" }: ValuesProps) => {
  const values = valuesIn(record)
  if (values.length === 0) return <p className="soft">There is no value in this record.</p>
  return (
    <>
      <p role="status">
        Click the value for <strong>{target}</strong>.
      </p>
      <ul className="sample-values" aria-label="Values of the sample">
        {values.map((value) => (
          <li key={value.path}>
            <button type="button" onClick={() => onChoose(value)}>
              <code className="cut">{value.path}</code> <span className="cut">{value.text}</span>{" "}
              <span className="hidden">for {target}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

interface FieldsProps {
  readonly value: MappingDraft
  readonly place: number
  readonly onPlace: (place: number) => void
  readonly onValue: (fields: ReadonlyArray<MappingField>) => void
}

const Fields = ({ onPlace, onValue, place, value: { fields } }: FieldsProps) => {
  const hint = useId()
  const change = (at: number, changed: Partial<MappingField>): void =>
    onValue(fields.map((field, index) => (index === at ? { ...field, ...changed } : field)))
  return (
    <>
      <p id={hint} className="soft small">
        A path in the record, or = and a text that is always the same, such as =webinar.
      </p>
      <ul className="mapped-fields" aria-describedby={hint}>
        {fields.map(({ field, source }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- fields are added at the end, and none is removed
          <li key={at} data-current={at === place} onFocus={() => onPlace(at)}>
            {field.startsWith(customPrefix) && (
              <TextField
                label="Name of the custom value"
                pattern="[A-Za-z][A-Za-z0-9_.\-]{0,63}"
                title="Letters, digits, _, . and -, beginning with a letter"
                maxLength={64}
                value={field.slice(customPrefix.length)}
                onValue={(name) => change(at, { field: customPrefix + name })}
              />
            )}
            <TextField
              label={fieldWords(field)}
              maxLength={1_024}
              autoComplete="off"
              spellCheck={false}
              value={source}
              onValue={(next) => change(at, { source: next })}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
