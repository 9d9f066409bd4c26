// Hook for the running import. When it's done, it reloads the data shown before.
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useSyncExternalStore } from "react"
import { useMe } from "../../session/use-session.ts"
import { ruleChanges } from "../use-rules.ts"
import { importJob, type ImportState } from "./job.ts"

/** Null if this organization has no import. */
export const useImport = (): ImportState | null => {
  const { organization } = useMe()
  const client = useQueryClient()
  const state = useSyncExternalStore(importJob.subscribe, importJob.state)
  const isDone = state.step === "done"
  useEffect(() => {
    if (isDone) for (const queryKey of ruleChanges) void client.invalidateQueries({ queryKey })
  }, [client, isDone])
  return state.organizationId === organization.id ? state : null
}
