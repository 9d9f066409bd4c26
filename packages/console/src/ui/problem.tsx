// Shows an error to the user: what went wrong, what to do, and the request id for support.
import {
  ApiError,
  BadRequestError,
  ConnectionError,
  PermissionError,
  RateLimitedError,
  TimeoutError,
} from "@footfall/sdk"
import { Button } from "./button.tsx"
import { Copy } from "./copy.tsx"

interface ProblemProps {
  /** Null shows nothing. */
  readonly error: unknown
  readonly title?: string | undefined
  readonly onRetry?: (() => void) | undefined
}

export const Problem = ({ error, title, onRetry }: ProblemProps) => {
  if (error === null || error === undefined) return null
  // Only a failure of the server itself is something to send to its operator.
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : null
  const issues =
    error instanceof BadRequestError
      ? error.issues.filter(({ message }) => message !== error.message).slice(0, issuesMax)
      : []
  return (
    <div className="problem" role="alert">
      {title !== undefined && <h3>{title}</h3>}
      {/* The message of the first one begins with its path. */}
      {!issues.some(({ path }) => messageOf(error).startsWith(path)) && (
        <p className="break">{messageOf(error)}</p>
      )}
      {issues.map(({ path, message }) => (
        <p key={`${path} ${message}`} className="break">
          <code>{placeIn(path)}</code> {message}
        </p>
      ))}
      {whatToDo(error) !== "" && <p className="small">{whatToDo(error)}</p>}
      {requestId !== null && (
        <p className="small">
          Request <Copy text={requestId} label="request id" />
        </p>
      )}
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

const issuesMax = 5

/** `/body/settings/excludedIps/1` is `excludedIps, line 2`. */
const placeIn = (path: string): string => {
  const parts = path.split("/").filter((part) => part !== "")
  const name = parts.findLast((part) => !/^\d+$/.test(part)) ?? path
  const index = parts.at(-1) ?? ""
  return /^\d+$/.test(index) ? `${name}, line ${Number(index) + 1}` : name
}

const messageOf = (error: unknown): string => {
  if (error instanceof ConnectionError) return "Can't reach the server."
  if (error instanceof TimeoutError) return "The server did not respond in time."
  return error instanceof Error ? error.message : String(error)
}

const whatToDo = (error: unknown): string => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return "Check your connection and try again. Nothing you typed is lost."
  }
  if (error instanceof PermissionError) {
    return error.code === "ORGANIZATION_INACTIVE"
      ? "Ask the operator of this server to activate your organization."
      : "Your role does not allow this. An admin or owner of your organization can change your role under Settings, Members."
  }
  if (error instanceof RateLimitedError) {
    const { retryAfterSeconds } = error
    return retryAfterSeconds === null
      ? "Wait a minute and try again."
      : `Wait ${retryAfterSeconds} seconds and try again.`
  }
  if (error instanceof BadRequestError) return error.hint ?? ""
  if (error instanceof ApiError && error.status >= 500) {
    return "Try again. If it keeps failing, send the request id to the operator of this server."
  }
  return ""
}
