// The file: how far it was sent, how it was read, and how else it could be read.
import type { SuppressionRuleType } from "@footfall/sdk"
import { useEffect, useRef } from "react"
import { Button } from "../../ui/button.tsx"
import { CheckField, ChoiceField } from "../../ui/field.tsx"
import { isolated } from "../../ui/isolated.ts"
import { Problem } from "../../ui/problem.tsx"
import { count } from "../../ui/time.tsx"
import { ruleTypes, ruleWords } from "../words.ts"
import { type Import, noFile, unknownIn } from "./use-import.ts"

interface FileCardProps {
  readonly imports: Import
  readonly file: File
}

export const FileCard = ({ imports, file }: FileCardProps) => {
  const { apply, ask, layout, plan } = imports
  const title = useRef<HTMLHeadingElement>(null)
  // The field that chose the file is gone.
  useEffect(() => title.current?.focus(), [])
  const reading = plan.data?.files.at(-1)?.reading
  const rows = layout?.firstRows ?? []
  return (
    <section className="card stack" aria-label="File">
      <div className="spread">
        <h2 className="break" ref={title} tabIndex={-1}>
          {file.name}
        </h2>
        {!apply.isPending && (
          <Button onClick={() => ask(noFile)}>
            {plan.isPending ? "Cancel" : "Choose another file"}
          </Button>
        )}
      </div>
      {plan.isPending && <Sending imports={imports} file={file} />}
      {reading !== undefined && (
        <p role="status" className="break">
          Read as {reading}.
        </p>
      )}
      <Refusal imports={imports} />
      {rows.length > 0 && (
        <>
          <LayoutForm imports={imports} rows={rows} />
          <Rows imports={imports} rows={rows} />
        </>
      )}
    </section>
  )
}

const Sending = ({ imports: { sentBytes }, file }: FileCardProps) => {
  const isSent = sentBytes >= file.size
  return (
    <div className="stack">
      <progress
        aria-label="Sending the file"
        {...(isSent ? {} : { max: file.size, value: sentBytes })}
      />
      <p role="status">
        {isSent ? "Comparing the file with the list…" : "Sending the file. Nothing changes yet."}
      </p>
      {!isSent && file.size > megabyte && (
        <p className="soft small">
          {count(Math.floor(sentBytes / megabyte))} of {count(Math.ceil(file.size / megabyte))} MB
        </p>
      )}
    </div>
  )
}

const megabyte = 1_000_000

/** How many columns to offer as buttons. The form below has all of them. */
const choicesShown = 6

const Refusal = ({ imports: { ask, layout, plan } }: { readonly imports: Import }) => {
  const unknown = unknownIn(plan.error)
  if (unknown === null) {
    return <Problem error={plan.error} title="The file was not checked" onRetry={() => ask({})} />
  }
  const { choices, missing } = unknown
  const [names = []] = layout?.firstRows ?? []
  return (
    <div className="problem" role="alert">
      <p className="break">{plan.error?.message}</p>
      <p>Choose the {missing.join(" and the ")} below.</p>
      {choices.length > 0 && (
        <div className="row">
          {choices.slice(0, choicesShown).map(({ column, type }) => (
            <Button
              key={`${column} ${type}`}
              onClick={() => ask({ column: numberOf(column, names), type })}
            >
              {isolated`Column ${column.slice(0, 40)}: ${ruleWords[type].one}`}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

/** Number of a column that may be given by its name. */
const numberOf = (column: string, names: ReadonlyArray<string>): string => {
  const index = names.indexOf(column)
  return index < 0 ? column : String(index + 1)
}

interface RowsProps {
  readonly imports: Import
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const LayoutForm = ({ imports: { apply, ask, asked, layout }, rows }: RowsProps) => {
  const width = Math.max(...rows.map((row) => row.length))
  const [first = []] = rows
  const column = asked.column ?? layout?.column?.toString() ?? ""
  const type: SuppressionRuleType | "" = asked.type ?? layout?.type ?? ""
  return (
    <fieldset className="layout" disabled={apply.isPending}>
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
          onValue={(value) => ask({ column: value })}
        />
      )}
      <ChoiceField
        label="Type"
        choices={[
          ...(type === ""
            ? [
                {
                  value: "" as const,
                  text: layout?.type === null ? "In each row" : "Choose a type",
                },
              ]
            : []),
          ...ruleTypes.map((value) => ({ value, text: ruleWords[value].one })),
        ]}
        value={type}
        onValue={(value) => ask({ type: value === "" ? undefined : value })}
      />
      <CheckField
        label="The first row contains column names"
        value={asked.header ?? layout?.header ?? false}
        onValue={(header) => ask({ header })}
      />
    </fieldset>
  )
}

const Rows = ({ imports: { layout }, rows }: RowsProps) => (
  <div className="scroll-x" role="group" aria-label="First rows" tabIndex={0}>
    <table className="plain-table rows">
      <tbody>
        {rows.map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows have no other name
          <tr key={index} data-header={index === 0 && layout?.header === true}>
            {row.map((cell, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- cells have no other name
              <td key={at} data-chosen={at + 1 === layout?.column}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
