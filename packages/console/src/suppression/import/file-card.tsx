// The file, its detected format, and controls to change the format.
import type { SuppressionRuleType } from "@footfall/sdk"
import { Button } from "../../ui/button.tsx"
import { CheckField, ChoiceField } from "../../ui/field.tsx"
import { Problem } from "../../ui/problem.tsx"
import { count } from "../../ui/time.tsx"
import { ruleTypes, ruleWords } from "../words.ts"
import { importJob, type ImportState } from "./job.ts"
import type { FileFormat } from "./messages.ts"
import { isolated } from "../../ui/isolated.ts"

export const FileCard = ({ state }: { readonly state: ImportState }) => {
  const { error, file, format, step } = state
  const isBusy = ["comparing", "sending"].includes(step)
  return (
    <section className="card stack" aria-label="File">
      <div className="spread">
        <h2 className="break">{file?.name}</h2>
        {!isBusy && <Button onClick={() => importJob.reset()}>Choose another file</Button>}
      </div>
      {format !== null && <FormatNote state={state} format={format} />}
      {format !== null &&
        format.rows.length > 0 &&
        ["reading", "unclear", "ready"].includes(step) && (
          <LayoutForm state={state} format={format} />
        )}
      {format !== null && format.rows.length > 0 && <Rows format={format} />}
      {step === "reading" && <Reading state={state} />}
      {step === "unclear" && <Problem error={error} title="The file can't be imported as it is" />}
    </section>
  )
}

const encodings = { "utf-8": "", "utf-16le": ", UTF-16", "utf-16be": ", UTF-16" } as const

/** How many columns to offer as buttons. The form below has all of them. */
const choicesShown = 6

const FormatNote = ({ state: { asked }, format }: LayoutFormProps) => {
  const { encoding, isCompressed, layout, problem } = format
  if (layout === null) {
    const { choices, message, missing } = problem ?? { choices: [], message: "", missing: [] }
    return (
      <div className="problem" role="alert">
        <p className="break">{message}</p>
        {missing.length > 0 && <p>Choose the {missing.join(" and the ")} below.</p>}
        {choices.length > 0 && (
          <div className="row">
            {choices.slice(0, choicesShown).map(({ column, index, type }) => (
              <Button
                key={index}
                onClick={() => void importJob.ask({ ...asked, column: String(index + 1), type })}
              >
                {`Column ${column.slice(0, 40)}: ${ruleWords[type].one}`}
              </Button>
            ))}
          </div>
        )}
      </div>
    )
  }
  return (
    <p role="status" className="break">
      Read as {layout.description}
      {encodings[encoding]}
      {isCompressed && ", compressed"}.
    </p>
  )
}

interface LayoutFormProps {
  readonly state: ImportState
  readonly format: FileFormat
}

const LayoutForm = ({ state: { asked }, format: { layout, rows } }: LayoutFormProps) => {
  const width = Math.max(...rows.map((row) => row.length))
  const [first = []] = rows
  const column = asked.column ?? (layout === null ? "" : String(layout.valueColumn + 1))
  const type: SuppressionRuleType | "" = asked.type ?? layout?.type ?? ""
  return (
    <div className="layout">
      {width > 1 && (
        <ChoiceField
          label="Column"
          choices={[
            ...(column === "" ? [{ value: "", text: "Choose a column" }] : []),
            ...Array.from({ length: width }, (_, index) => ({
              value: String(index + 1),
              text: isolated`${index + 1}: ${first[index]?.slice(0, 40) ?? ""}`,
            })),
          ]}
          value={column}
          onValue={(value) => void importJob.ask({ ...asked, column: value })}
        />
      )}
      <ChoiceField
        label="Type"
        choices={[
          ...(type === ""
            ? [{ value: "" as const, text: layout === null ? "Choose a type" : "In each row" }]
            : []),
          ...ruleTypes.map((value) => ({ value, text: ruleWords[value].one })),
        ]}
        value={type}
        onValue={(value) =>
          void importJob.ask({ ...asked, type: value === "" ? undefined : value })
        }
      />
      <CheckField
        label="The first row contains column names"
        value={asked.hasHeader ?? layout?.hasHeader ?? false}
        onValue={(hasHeader) => void importJob.ask({ ...asked, hasHeader })}
      />
    </div>
  )
}

const Rows = ({ format: { layout, rows } }: { readonly format: FileFormat }) => (
  <div className="scroll-x" role="group" aria-label="First rows" tabIndex={0}>
    <table className="plain-table rows">
      <tbody>
        {rows.map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows have no other name
          <tr key={index} data-header={index === 0 && layout?.hasHeader === true}>
            {row.map((cell, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- cells have no other name
              <td key={at} data-chosen={at === layout?.valueColumn || at === layout?.typeColumn}>
                {cell.slice(0, 80)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Reading = ({ state: { progress, rows } }: { readonly state: ImportState }) => (
  <div className="stack" role="status">
    <progress aria-label="Reading the file" max={progress.total || 1} value={progress.done} />
    <p className="soft small">Reading: {count(rows)} rows</p>
  </div>
)
