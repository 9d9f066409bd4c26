// The line at the top while the server can't be reached or limits this client. What failed meanwhile is read again when
// the server is back.
import { onlineManager, useQueryClient } from "@tanstack/react-query"
import { useEffect, useSyncExternalStore, type ReactNode } from "react"
import { session } from "../session/session.ts"
import { connection } from "./connection.ts"

/** Between two looks whether the server is back. */
const lookMs = 3_000

export const ConnectionLine = () => {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  const state = useSyncExternalStore(connection.subscribe, connection.state)
  useReturn(state.is === "lost")
  if (!isOnline) {
    return <Line>You are offline. What is on the page stays; changes wait until you are back.</Line>
  }
  if (state.is === "lost") {
    return (
      <Line>
        The server can't be reached. What is on the page stays. Trying again every few seconds.
      </Line>
    )
  }
  if (state.is === "limited") {
    return (
      <Line>The server limits how often it is asked. Going on in {state.seconds} seconds.</Line>
    )
  }
  return null
}

const Line = ({ children }: { readonly children: ReactNode }) => (
  <p className="line" role="status">
    {children}
  </p>
)

/** Looks for the server until it is back, and then reads again what failed. */
const useReturn = (isLost: boolean): void => {
  const client = useQueryClient()
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(() => {
      // The session hears of every answer.
      void session.isServerThere()
    }, lookMs)
    return () => {
      clearInterval(timer)
      void client.invalidateQueries()
    }
  }, [client, isLost])
}
