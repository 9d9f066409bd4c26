// The line at the top while the server is unreachable or rate limits this client. When the server is back, failed
// queries run again.
import { onlineManager, useQueryClient } from "@tanstack/react-query"
import { useEffect, useSyncExternalStore, type ReactNode } from "react"
import { session } from "../session/session.ts"
import { connection } from "./connection.ts"

/** How often to check whether the server is back. */
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

/** Polls the server until it's back, then retries failed queries. */
const useReturn = (isLost: boolean): void => {
  const client = useQueryClient()
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(() => {
      // The session reports the answer to `connection`.
      void session.isServerThere()
    }, lookMs)
    return () => {
      clearInterval(timer)
      void client.invalidateQueries()
    }
  }, [client, isLost])
}
