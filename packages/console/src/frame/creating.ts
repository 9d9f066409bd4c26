// Whether a screen's create dialog is open, because the user clicked its button or chose it in the search.
import { useLocation, useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The user chose in the search to create an item of this screen. */
    readonly isCreating?: true
  }
}

/** `screen`: its path. The previous screen stays mounted while this one loads. */
export const useCreating = (
  screen: string,
): readonly [isCreating: boolean, setCreating: (isCreating: boolean) => void] => {
  const isRequested = useLocation({
    select: ({ pathname, state }) => pathname === screen && state.isCreating === true,
  })
  const [wasRequested, setWasRequested] = useState(false)
  const [isCreating, setCreating] = useState(false)
  const navigate = useNavigate()
  if (isRequested !== wasRequested) {
    setWasRequested(isRequested)
    if (isRequested) setCreating(true)
  }
  useEffect(() => {
    // Clear the state so that a reload or the back button doesn't open the dialog again.
    if (isRequested) void navigate({ to: ".", search: true, replace: true, state: {} })
  }, [isRequested, navigate])
  return [isCreating, setCreating]
}
