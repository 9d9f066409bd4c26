// Adds the signed-in user to the organization of an invitation, and switches to it.
import { NotFoundError } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useRef } from "react"
import { Button } from "../ui/button.tsx"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { useWrite } from "../ui/use-write.ts"
import { footfall, session } from "./session.ts"

interface JoinProps {
  readonly token: string
  /** Shown if the invitation is for another user. */
  readonly otherwise: ReactNode
}

export const Join = ({ token, otherwise }: JoinProps) => {
  const navigate = useNavigate()
  const me = useQuery({ queryKey: ["me"], queryFn: () => footfall.auth.me() })
  const invited = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => footfall.auth.join({ token, preview: true }),
    retry: false,
  })
  // An invitation works once. If the user joined but the switch failed, the next try only switches.
  const joined = useRef<string>(undefined)
  const join = useWrite({
    write: async () => {
      joined.current ??= (await footfall.auth.join({ token })).id
      await session.switchTo(joined.current)
    },
    onDone: () => navigate({ to: "/", replace: true }),
  })
  if (invited.error instanceof NotFoundError) {
    return (
      <>
        <p role="status" className="break">
          There is no open invitation for {me.data?.user.email ?? "this account"} here.
        </p>
        {otherwise}
      </>
    )
  }
  if (invited.error !== null) {
    return <Problem error={invited.error} onRetry={() => void invited.refetch()} />
  }
  if (me.error !== null) return <Problem error={me.error} onRetry={() => void me.refetch()} />
  if (invited.data === undefined || me.data === undefined) return <Waiting />
  const { name, role } = invited.data
  return (
    <div className="stack">
      <p className="break">
        You are signed in as {me.data.user.email}. You are invited to {name} with the role {role}.
      </p>
      <Problem error={join.error} title={`Could not open ${name}`} />
      <Button kind="primary" isBusy={join.isPending} onClick={() => join.mutate()}>
        Join {name}
      </Button>
    </div>
  )
}
