// Imports a file of rules: choose it, check the detected format and the effect, then add its rules or make the list
// match it.
import { Link } from "@tanstack/react-router"
import { useMe } from "../../session/use-session.ts"
import { Empty } from "../../ui/empty.tsx"
import { Screen } from "../../ui/screen.tsx"
import { Choose } from "./choose.tsx"
import { Decide } from "./decide.tsx"
import { FileCard } from "./file-card.tsx"
import { Found } from "./found.tsx"
import type { ImportState } from "./job.ts"
import { useImport } from "./use-import.ts"
import { Working } from "./working.tsx"
import "./import.css"

const SuppressionImport = () => {
  const { canWrite, organization } = useMe()
  const state = useImport()
  return (
    <Screen
      title="Import suppression rules"
      actions={
        <Link className="button normal" to="/suppression" search={{}}>
          Back to the list
        </Link>
      }
    >
      {!canWrite ? (
        <Empty title="Only members import">
          Your role is viewer. An admin or owner can change it under Settings, Members.
        </Empty>
      ) : state === null || state.step === "none" ? (
        <Choose organizationId={organization.id} />
      ) : (
        <Steps state={state} />
      )}
    </Screen>
  )
}

const Steps = ({ state }: { readonly state: ImportState }) => {
  const isWorking = ["sending", "stopped", "done"].includes(state.step)
  return (
    <div className="import">
      <FileCard state={state} />
      {state.reading !== null && <Found state={state} reading={state.reading} />}
      {state.reading !== null && !isWorking && <Decide state={state} reading={state.reading} />}
      {isWorking && <Working state={state} />}
    </div>
  )
}

export default SuppressionImport
