// Link from a record of an audience back to the audience.
import { Link } from "@tanstack/react-router"
import { useAudience } from "./queries.ts"

export const BackToAudience = ({ audienceId }: { readonly audienceId: string }) => {
  const { data } = useAudience(audienceId)
  return (
    <Link
      className="button normal"
      to="/audiences/$audienceId"
      params={{ audienceId }}
      search={true}
    >
      <span className="cut">Back to {data?.name ?? "the audience"}</span>
    </Link>
  )
}
