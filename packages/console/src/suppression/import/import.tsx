// Imports a file of rules: choose what to do and the file, look at the plan, then apply it.
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useMe } from "../../session/use-session.ts"
import { Button } from "../../ui/button.tsx"
import { CheckField, ChoiceField } from "../../ui/field.tsx"
import { Empty } from "../../ui/empty.tsx"
import { Modal } from "../../ui/modal.tsx"
import { Screen } from "../../ui/screen.tsx"
import { plural } from "../../ui/time.tsx"
import { useLeaving } from "../../ui/unsaved.tsx"
import { ruleTypes, ruleWords } from "../words.ts"
import { Apply } from "./apply.tsx"
import { Contents } from "./contents.tsx"
import { FileCard } from "./file-card.tsx"
import { PastImports } from "./past-imports.tsx"
import { type Import, isComplete, noFile, outcomeWords, useImport } from "./use-import.ts"
import "./import.css"

const SuppressionImport = () => {
  const { canWrite } = useMe()
  return (
    <Screen title="Import suppression rules" parent={{ to: "/suppression", name: "Suppression" }}>
      {canWrite ? (
        <Steps />
      ) : (
        <Empty title="Viewers can't import rules">
          Your role is viewer. An admin or owner can change it under Settings, Members.
        </Empty>
      )}
    </Screen>
  )
}

const Steps = () => {
  const imports = useImport()
  const { apply, asked, plan } = imports
  const leaving = useLeaving(plan.isPending)
  if (apply.data !== undefined) return <Done imports={imports} outcome={apply.data} />
  return (
    <div className="import">
      {leaving !== null && (
        <Modal title="Stop the import?" onClose={leaving.stay}>
          <p>The file is still being checked. Nothing has changed yet.</p>
          <div className="row">
            <Button kind="primary" onClick={leaving.stay}>
              Stay
            </Button>
            <Button onClick={leaving.leave}>Stop the import</Button>
          </div>
        </Modal>
      )}
      <WhatToDo imports={imports} />
      {asked.file === null ? (
        <>
          <Choose imports={imports} />
          <PastImports />
        </>
      ) : (
        <FileCard imports={imports} file={asked.file} />
      )}
      {plan.data !== undefined && (
        <>
          <Contents plan={plan.data} name={asked.file?.name ?? ""} />
          <Apply key={plan.data.importId} imports={imports} plan={plan.data} />
        </>
      )}
    </div>
  )
}

const WhatToDo = ({ imports: { apply, ask, asked } }: { readonly imports: Import }) => (
  <fieldset className="card stack" disabled={apply.isPending}>
    <ChoiceField
      label="What to do"
      choices={[
        { value: "add", text: "Add the rules of a file to the list" },
        { value: "replace", text: "Replace the list with a file" },
        { value: "remove", text: "Remove the rules of a file from the list" },
      ]}
      value={asked.mode}
      onValue={(mode) => ask({ mode })}
    />
    {asked.mode === "replace" && (
      <fieldset className="stack">
        <legend>Which rules the file replaces</legend>
        <p className="soft small">
          Rules of other types stay. Rows of other types are rejected. Choose all four if the file
          is the whole list.
        </p>
        <div className="row">
          {ruleTypes.map((type) => (
            <CheckField
              key={type}
              label={ruleWords[type].many}
              value={asked.types.includes(type)}
              onValue={(isChosen) =>
                ask({
                  types: ruleTypes.filter((each) =>
                    each === type ? isChosen : asked.types.includes(each),
                  ),
                })
              }
            />
          ))}
        </div>
      </fieldset>
    )}
  </fieldset>
)

// A drop area for the file, which is also a button.
const Choose = ({ imports: { ask, asked } }: { readonly imports: Import }) => {
  const [isOver, setOver] = useState(false)
  const isReady = isComplete(asked)
  const choose = (file: File | null | undefined): void => {
    setOver(false)
    if (isReady && file !== null && file !== undefined) ask({ file })
  }
  return (
    <label
      className="drop"
      data-over={isOver && isReady}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        choose(event.dataTransfer.files.item(0))
      }}
    >
      <input
        type="file"
        className="hidden"
        aria-describedby="drop-hint"
        disabled={!isReady}
        onChange={(event) => choose(event.target.files?.item(0))}
      />
      <strong>
        {isReady ? "Drop a file here, or choose one" : "First choose which rules the file replaces"}
      </strong>
      <span className="soft" id="drop-hint">
        A CSV file, a list with one value per line, or NDJSON. Up to 4 GiB, also compressed with
        gzip. Nothing changes until you confirm.
      </span>
    </label>
  )
}

interface DoneProps {
  readonly imports: Import
  readonly outcome: NonNullable<Import["apply"]["data"]>
}

const Done = ({ imports: { ask, asked }, outcome }: DoneProps) => {
  const { added, removed, total } = outcome
  return (
    <section className="import card stack" aria-label="Import">
      <h2 className="break">{asked.file?.name}</h2>
      <p className="big" role="status">
        {outcomeWords(asked.mode, outcome)}
      </p>
      <p>The list has {plural(total, "rule")} now.</p>
      {removed < added && <p className="soft">People who match are suppressed within a minute.</p>}
      <div className="row">
        <Link className="button primary" to="/suppression" search={{}}>
          View the list
        </Link>
        <Button onClick={() => ask({ mode: "add", types: [], ...noFile })}>
          Import another file
        </Button>
      </div>
    </section>
  )
}

export default SuppressionImport
