// `footfall members`: the members of an organization and their roles. A new member gets an invitation, which is shown
// once.

import type { AddedMember, ListMeta, Member, Role } from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { addListOptions, type ListOptions } from "../command/list-options.ts"
import { listForm } from "../output/print-list.ts"
import { factsText } from "../output/print-result.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines } from "../terminal/terminal.ts"
import { timeAgo } from "../ui/text.ts"
import {
  memberOf,
  organizationIdOf,
  organizationOption,
  type OrganizationOption,
  role,
} from "./reference.ts"

export const memberCommands = [
  define<ListOptions & OrganizationOption>("list", {
    description: "list the members, newest first",
    takes: (command) => addListOptions(command, "members").addOption(organizationOption()),
    fields: "email,role",
    examples: ["footfall members list", "footfall members list --json"],
    credential: "accessToken",
    run: async ({ connect, options, printList }) => {
      const client = await connect()
      const organizationId = await organizationIdOf(client, options)
      await printList(client.members.list(organizationId), memberList)
    },
  }),

  define<OrganizationOption, [reference: string]>("get", {
    description: "show one member",
    takes: (command) =>
      command.argument("<member>", "email address or user id").addOption(organizationOption()),
    fields: "email,role,status",
    examples: ["footfall members get lee@example.com"],
    credential: "accessToken",
    run: async ({ connect, options, print, terminal }, reference) => {
      const client = await connect()
      const organizationId = await organizationIdOf(client, options)

      const member = await memberOf(client, organizationId, reference)

      const text = factsText([
        ["Email", member.email],
        ["Name", member.name],
        ["Role", member.role],
        ["Status", statusText(member)],
        ["Member since", timeAgo(member.createdAt, terminal.now)],
        ["Id", member.userId],
      ])
      await print(member, text)
    },
  }),

  define<OrganizationOption & { readonly role: Role }, [email: string]>("create", {
    description: "invite a member",
    takes: (command) =>
      command
        .argument("<email>", "email address of the person")
        .addOption(
          new Option("--role <role>", "owner, admin, member or viewer")
            .argParser(role)
            .default("member" satisfies Role),
        )
        .addOption(organizationOption()),
    examples: [
      "footfall members create lee@example.com",
      "footfall members create lee@example.com --role viewer --json | jq -r .data.inviteToken",
    ],
    credential: "accessToken",
    creates: true,
    run: async ({ connect, creation, options, print }, email) => {
      const client = await connect()
      const organizationId = await organizationIdOf(client, options)

      const added = await client.members.add(
        organizationId,
        { email, role: options.role },
        creation,
      )

      await print(added, () =>
        lines(
          isPending(added.member)
            ? `Invited ${added.member.email} as ${added.member.role}.`
            : `${added.member.email} is now ${added.member.role}.`,
          ...invitation(added),
        ),
      )
    },
  }),

  define<OrganizationOption, [reference: string]>("invite", {
    description: "send a new invitation to a member who has not accepted yet",
    takes: (command) =>
      command.argument("<member>", "email address or user id").addOption(organizationOption()),
    examples: ["footfall members invite lee@example.com"],
    credential: "accessToken",
    creates: true,
    run: async ({ connect, creation, options, print }, reference) => {
      const client = await connect()
      const organizationId = await organizationIdOf(client, options)
      const { userId } = await memberOf(client, organizationId, reference)

      const invited = await client.members.invite({ organizationId, userId }, creation)

      await print(invited, () =>
        lines(
          `Invited ${invited.member.email} again as ${invited.member.role}. Earlier invitations no longer work.`,
          ...invitation(invited),
        ),
      )
    },
  }),

  define<OrganizationOption & { readonly role: Role }, [reference: string]>("update", {
    description: "change the role of a member",
    takes: (command) =>
      command
        .argument("<member>", "email address or user id")
        .addOption(
          new Option("--role <role>", "owner, admin, member or viewer")
            .argParser(role)
            .makeOptionMandatory(),
        )
        .addOption(organizationOption()),
    examples: ["footfall members update lee@example.com --role admin"],
    credential: "accessToken",
    run: async ({ connect, options, print }, reference) => {
      const client = await connect()
      const organizationId = await organizationIdOf(client, options)
      const { userId } = await memberOf(client, organizationId, reference)

      const member = await client.members.update({ organizationId, userId }, { role: options.role })

      await print(member, () => lines(`${member.email} is now ${member.role}.`))
    },
  }),

  define<OrganizationOption & { readonly yes?: true }, [reference: string]>("delete", {
    description: "remove a member; their sessions end within 5 seconds",
    takes: (command) =>
      command
        .argument("<member>", "email address or user id")
        .option("-y, --yes", "do not ask for confirmation")
        .addOption(organizationOption()),
    examples: ["footfall members delete lee@example.com"],
    credential: "accessToken",
    run: async ({ connect, options, print, terminal }, reference) => {
      const client = await connect()
      await requireConsent(terminal, {
        what: `${reference} will be removed from the organization.`,
        isConfirmed: options.yes === true,
      })
      const organizationId = await organizationIdOf(client, options)
      const { userId, email } = await memberOf(client, organizationId, reference)

      const removed = await client.members.remove({ organizationId, userId })

      await print({ userId, email, ...removed }, () =>
        lines(`Removed ${email} from the organization.`),
      )
    },
  }),
]

/** Older servers have no pending members. */
const isPending = ({ status }: Partial<Member>): boolean => status === "pending"
const statusText = (member: Member): string | null => (isPending(member) ? "invited" : null)

const invitation = ({ emailSent, inviteToken }: Invited): ReadonlyArray<string> =>
  inviteToken === null
    ? []
    : [
        `They have no access until they accept. ${whatToSend(emailSent)} (shown only once, expires in 7 days):`,
        "",
        `  ${inviteToken}`,
        "",
        "To accept it: footfall accept-invitation",
      ]

/** Older servers don't say whether they send email. */
type Invited = Pick<AddedMember, "inviteToken"> & Partial<Pick<AddedMember, "emailSent">>

const whatToSend = (emailSent: boolean | undefined): string => {
  if (emailSent === undefined) return "Send them this invitation"
  return emailSent
    ? "The server emails them an invitation. You can also send them this one"
    : "This server sends no email, so send them this invitation yourself"
}

export const memberList = listForm<Member, ListMeta>({
  csvColumns: ["userId", "email", "name", "role", "status", "createdAt"],
  nouns: ["member", "members"],
  empty: { message: "There are no members yet.", next: "Run: footfall members create <email>" },
  columns: ({ now, screenColumns }) => [
    {
      title: "Email",
      cell: ({ email }) => email,
      widthMin: 16,
      widthKept: Math.max(20, Math.floor(screenColumns * 0.5)),
    },
    { title: "Name", cell: ({ name }) => name ?? "", widthMin: 8, widthKept: 14, dropRank: 2 },
    {
      title: "Role",
      cell: (member) => (isPending(member) ? `${member.role}, invited` : member.role),
    },
    {
      title: "Member since",
      cell: ({ createdAt }) => timeAgo(createdAt, now),
      align: "right",
      dropRank: 1,
    },
  ],
})
