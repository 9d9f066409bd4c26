// The last page of a sign-in at the external issuer. The session cookie is set, so this tab and the others continue.
import { Link, useRouter } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { SignPage } from "./sign-page.tsx"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { returnPath } from "./addresses.ts"
import { session } from "./session.ts"

type Outcome = "waiting" | "signed in" | "no session" | Error

const SignedIn = () => {
  const { history } = useRouter()
  const [outcome, setOutcome] = useState<Outcome>("waiting")
  useEffect(() => {
    const finishExternalSignIn = async () => {
      if (!(await session.finishExternalSignIn())) return setOutcome("no session")
      const path = returnPath.take()
      if (path === undefined) setOutcome("signed in")
      else history.replace(path)
    }
    finishExternalSignIn().catch((error: Error) => setOutcome(error))
  }, [history])
  if (outcome === "waiting") return <Waiting />
  return (
    <SignPage>
      <h1>{outcome === "signed in" ? "You are signed in" : "You are not signed in"}</h1>
      {outcome === "signed in" && (
        <p role="status">
          Close this tab and continue in the one you came from, or{" "}
          <Link to="/">open the console</Link>.
        </p>
      )}
      {outcome === "no session" && (
        <p role="status">
          Your browser did not keep the session. Allow cookies for this site, then{" "}
          <Link to="/">sign in again</Link>.
        </p>
      )}
      {outcome instanceof Error && <Problem error={outcome} title="The console can't start" />}
    </SignPage>
  )
}

export default SignedIn
