// A drop area for the file, which is also a button, and the interrupted import, if any.
import { useState } from "react"
import { Button } from "../../ui/button.tsx"
import { count } from "../../ui/time.tsx"
import { importJob } from "./job.ts"
import { forgetJournal, readJournal } from "./journal.ts"

export const Choose = ({ organizationId }: { readonly organizationId: string }) => {
  const [isOver, setOver] = useState(false)
  const [journal, setJournal] = useState(() => readJournal(organizationId))
  const choose = (file: File | null | undefined): void => {
    setOver(false)
    if (file !== null && file !== undefined) void importJob.choose(file, organizationId)
  }
  return (
    <div className="import">
      {journal !== null && (
        <section className="card stack" aria-label="Import that stopped">
          <p className="break">
            The import of <strong>{journal.name}</strong> stopped after {count(journal.done)} of{" "}
            {count(journal.rules)} rules. To continue, choose the same file again.
          </p>
          <div className="row">
            <Button
              onClick={() => {
                forgetJournal()
                setJournal(null)
              }}
            >
              Forget it
            </Button>
          </div>
        </section>
      )}
      <label
        className="drop"
        data-over={isOver}
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
          onChange={(event) => choose(event.target.files?.item(0))}
        />
        <strong>Drop a file here, or choose one</strong>
        <span className="soft" id="drop-hint">
          A CSV, or a list with one value per line, of any size; also compressed with gzip. Nothing
          is changed before you agree.
        </span>
      </label>
    </div>
  )
}
