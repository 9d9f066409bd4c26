// Imports that changed the rules. Those of the last 7 days can be undone.
import type { FileImport } from "@footfall/sdk"
import { useState } from "react"
import { footfall } from "../../session/session.ts"
import { Button } from "../../ui/button.tsx"
import { Confirm } from "../../ui/confirm.tsx"
import { isolated } from "../../ui/isolated.ts"
import { usePages } from "../../ui/pages.ts"
import { Problem } from "../../ui/problem.tsx"
import { plural, Time } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { ruleChanges } from "../use-rules.ts"

const kind = "suppression-rules"

/** The newest ones, which are more than a team imports in 7 days. */
const shown = 20

export const PastImports = () => {
  const [undoing, setUndoing] = useState<FileImport | null>(null)
  const imports = usePages({
    key: ["suppression", "imports"],
    load: (cursor, signal) => footfall.fileImports.list(kind, { limit: shown, cursor }, { signal }),
  })
  if (imports.rows.length === 0) return <Problem error={imports.error} />
  return (
    <section className="card stack" aria-label="Past imports">
      <h2>Past imports</h2>
      <ul className="stack">
        {imports.rows.slice(0, shown).map((each) => (
          <li key={each.importId} className="row">
            <span className="break">
              {each.name}{" "}
              <span className="soft small">
                {changeOf(each)} · <Time at={each.appliedAt} />
                {each.undoneAt !== null && " · undone"}
              </span>
            </span>
            {each.undoableUntil !== null && (
              <Button
                kind="plain"
                aria-label={`Undo the import of ${each.name}`}
                onClick={() => setUndoing(each)}
              >
                Undo
              </Button>
            )}
          </li>
        ))}
      </ul>
      {undoing !== null && <Undo undoing={undoing} onClose={() => setUndoing(null)} />}
    </section>
  )
}

const changeOf = ({ added, removed }: FileImport): string =>
  [
    added > 0 ? `added ${plural(added, "rule")}` : null,
    removed > 0 ? `removed ${plural(removed, "rule")}` : null,
  ]
    .filter((part) => part !== null)
    .join(", ")

interface UndoProps {
  readonly undoing: FileImport
  readonly onClose: () => void
}

const Undo = ({ undoing, onClose }: UndoProps) => {
  const { added, importId, name, removed } = undoing
  const undo = useWrite({
    write: () => footfall.fileImports.undo(kind, importId),
    changes: ruleChanges,
    notice: () => ({ text: isolated`Undid the import of ${name}` }),
    onDone: onClose,
  })
  return (
    <Confirm
      title="Undo this import?"
      verb="Undo the import"
      isBusy={undo.isPending}
      error={undo.error}
      onConfirm={() => undo.mutate()}
      onClose={onClose}
    >
      {added > 0 && (
        <p>
          The {plural(added, "rule")} that <strong className="break">{name}</strong> added will be
          removed, except those that someone has added again since.
        </p>
      )}
      {removed > 0 && <p>{plural(removed, "rule")} that it removed will return.</p>}
    </Confirm>
  )
}
