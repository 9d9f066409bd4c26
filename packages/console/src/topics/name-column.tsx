// The name of a topic. It opens the topic next to the list.
import type { Topic } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import type { Column } from "../ui/list.tsx"

export const nameColumn: Column<Pick<Topic, "topicId" | "topicName" | "industry">> = {
  id: "name",
  title: "Topic",
  width: "minmax(9rem, 2fr)",
  cell: ({ topicId, topicName }) => (
    <Link
      className="open cut"
      to="/topics/$topicId"
      params={{ topicId: String(topicId) }}
      search={true}
    >
      {topicName}
    </Link>
  ),
}
