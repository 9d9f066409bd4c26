// The signed-in user joins the organization of an invitation, and goes on in it.
import { NotFoundError } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Button } from "../ui/button.tsx"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { useWrite } from "../ui/use-write.ts"
import { footfall, session } from "./session.ts"

interface JoinProps {
  readonly token: string
  /** Shown when the invitation is not for this user. */
  readonly otherwise: ReactNode
  readonly onOtherAccount: () => void
}

export const Join = ({ token, otherwise, onOtherAccount }: JoinProps) => {
  const navigate = useNavigate()
  const me = useQuery({ queryKey: ["me"], queryFn: () => footfall.auth.me() })
  const invited = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => footfall.auth.join({ token, preview: true }),
    retry: false,
  })
  const join = useWrite({
    write: async () => {
      const { id } = await footfall.auth.join({ token })
      await session.switchTo(id)
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
  if (invited.data === undefined || me.data === undefined) return <Waiting />
  const { name, role } = invited.data
  return (
    <div className="stack">
      <p className="break">
        You are signed in as {me.data.user.email}. In {name} your role is {role}.
      </p>
      <Problem error={join.error} title="You have not joined" />
      <Button kind="primary" isBusy={join.isPending} onClick={() => join.mutate()}>
        Join {name}
      </Button>
      <Button kind="plain" onClick={onOtherAccount}>
        Use another account
      </Button>
    </div>
  )
}
