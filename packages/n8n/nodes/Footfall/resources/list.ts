// Lists: domains of companies or addresses of people, which segments, webhooks and the score use.
import type { IDataObject, INodeProperties } from "n8n-workflow"
import { ask, askAll } from "../../api"
import { limitOf, type Operations, rowCount, shownFor, textOf, valuesOf } from "../fields"

const resource = "list"

export const listFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options: [
      {
        name: "Add Values",
        value: "addValues",
        description: "Add values that are not in a list yet",
        action: "Add values to a list",
      },
      {
        name: "Get Many",
        value: "getAll",
        description: "Get the lists with their sizes",
        action: "Get many lists",
      },
      {
        name: "Get Values",
        value: "getValues",
        description: "Get the values of a list",
        action: "Get the values of a list",
      },
      {
        name: "Remove Values",
        value: "removeValues",
        description: "Remove values from a list",
        action: "Remove values from a list",
      },
    ],
    default: "addValues",
  },
  {
    displayName: "List Name or ID",
    name: "listId",
    type: "options",
    typeOptions: { loadOptionsMethod: "getLists" },
    default: "",
    required: true,
    description:
      'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    displayOptions: shownFor(resource, "addValues", "removeValues", "getValues"),
  },
  {
    displayName: "Values",
    name: "values",
    type: "string",
    typeOptions: { rows: 3 },
    default: "",
    required: true,
    description:
      "Domains for a list of companies, email addresses or their SHA-256 for one of people. Separated by commas or lines, at most 25,000. An expression can give an array.",
    displayOptions: shownFor(resource, "addValues", "removeValues"),
  },
  ...rowCount(resource, "getAll", "getValues"),
]

export const listOperations: Operations = {
  getAll: (context, itemIndex) =>
    askAll(
      context,
      { method: "GET", path: ["data", "lists"], itemIndex },
      limitOf(context, itemIndex),
    ),

  getValues: (context, itemIndex) =>
    askAll(
      context,
      {
        method: "GET",
        path: ["data", "lists", textOf(context, "listId", itemIndex), "members"],
        itemIndex,
      },
      limitOf(context, itemIndex),
    ),

  addValues: async (context, itemIndex) => {
    const { data } = await ask<IDataObject>(context, {
      method: "POST",
      path: ["data", "lists", textOf(context, "listId", itemIndex), "members"],
      body: { values: valuesOf(context, "values", itemIndex) },
      itemIndex,
    })
    return [data]
  },

  removeValues: async (context, itemIndex) => {
    const { data } = await ask<IDataObject>(context, {
      method: "DELETE",
      path: ["data", "lists", textOf(context, "listId", itemIndex), "members"],
      body: { values: valuesOf(context, "values", itemIndex) },
      itemIndex,
    })
    return [data]
  },
}
