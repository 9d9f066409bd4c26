// Companies: those whose people visited, identified or not.
import type { IDataObject, INodeProperties } from "n8n-workflow"
import { ask, askAll } from "../../api"
import { fieldsOf, limitOf, type Operations, rowCount, shownFor, textOf } from "../fields"

const resource = "company"

export const companyFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options: [
      {
        name: "Get",
        value: "get",
        description: "Get a company by its domain, with its journey",
        action: "Get a company",
      },
      {
        name: "Get Many",
        value: "getAll",
        description: "List or search the companies that visited",
        action: "Get many companies",
      },
    ],
    default: "get",
  },
  {
    displayName: "Domain",
    name: "domain",
    type: "string",
    default: "",
    required: true,
    placeholder: "acme.com",
    displayOptions: shownFor(resource, "get"),
  },
  ...rowCount(resource, "getAll"),
  {
    displayName: "Filters",
    name: "filters",
    type: "collection",
    placeholder: "Add Filter",
    default: {},
    displayOptions: shownFor(resource, "getAll"),
    options: [
      {
        displayName: "Anonymous Only",
        name: "anonymous",
        type: "boolean",
        default: false,
        description: "Whether to return only companies where no one is identified",
      },
      {
        displayName: "Minimum Sessions",
        name: "minSessions",
        type: "number",
        typeOptions: { minValue: 1 },
        default: 1,
      },
      {
        displayName: "Period",
        name: "timeframe",
        type: "options",
        default: "7d",
        description: "When the company visited",
        options: [
          { name: "14 Days", value: "14d" },
          { name: "24 Hours", value: "24h" },
          { name: "30 Days", value: "30d" },
          { name: "7 Days", value: "7d" },
          { name: "90 Days", value: "90d" },
          { name: "Any Time", value: "all" },
        ],
      },
      {
        displayName: "Search",
        name: "q",
        type: "string",
        default: "",
        description: "Part of the name or the domain",
      },
      {
        displayName: "Sort",
        name: "sort",
        type: "options",
        default: "last_seen",
        options: [
          { name: "Highest Score First", value: "score" },
          { name: "Last Seen First", value: "last_seen" },
        ],
      },
      {
        displayName: "Tag",
        name: "tag",
        type: "string",
        default: "",
        description: "Only companies with this tag",
      },
    ],
  },
]

export const companyOperations: Operations = {
  get: async (context, itemIndex) => {
    const { data } = await ask<IDataObject>(context, {
      method: "GET",
      path: ["data", "companies", textOf(context, "domain", itemIndex)],
      itemIndex,
    })
    return [data]
  },

  getAll: (context, itemIndex) =>
    askAll(
      context,
      {
        method: "GET",
        path: ["data", "companies"],
        query: fieldsOf(context, "filters", itemIndex),
        itemIndex,
      },
      limitOf(context, itemIndex),
    ),
}
