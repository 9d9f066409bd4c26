// Whether a screen's dialog to create something is open: by its button, or because the search was asked for it.
import { useLocation, useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The search was asked to create what the screen is about. */
    readonly isCreating?: true
  }
}

/** `screen`: its path. The screen before is still there while this one is loaded. */
export const useCreating = (
  screen: string,
): readonly [isCreating: boolean, setCreating: (isCreating: boolean) => void] => {
  const isAsked = useLocation({
    select: ({ pathname, state }) => pathname === screen && state.isCreating === true,
  })
  const [wasAsked, setWasAsked] = useState(false)
  const [isCreating, setCreating] = useState(false)
  const navigate = useNavigate()
  if (isAsked !== wasAsked) {
    setWasAsked(isAsked)
    if (isAsked) setCreating(true)
  }
  useEffect(() => {
    // Asked once: a reload, or the way back, does not open it again.
    if (isAsked) void navigate({ to: ".", search: true, replace: true, state: {} })
  }, [isAsked, navigate])
  return [isCreating, setCreating]
}
