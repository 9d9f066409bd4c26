// A running import as one line above the list.
import { Link } from "@tanstack/react-router"
import { count, plural } from "../../ui/time.tsx"
import { useImport } from "./use-import.ts"

export const ImportLine = () => {
  const state = useImport()
  if (state === null || !["sending", "stopped"].includes(state.step)) return null
  const { file, progress, step } = state
  return (
    <p role="status" className="break">
      {step === "sending" ? "Importing" : "Stopped:"} {file?.name}: {count(progress.done)} of{" "}
      {plural(progress.total, "rule")}.{" "}
      <Link to="/suppression/import" search={{}}>
        Show the progress
      </Link>
    </p>
  )
}
