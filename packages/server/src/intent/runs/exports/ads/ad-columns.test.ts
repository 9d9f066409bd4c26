// Customer lists of ad platforms (spec 2.13.5) against the examples that the platforms publish:
// - Meta, "Customer Information Parameters" (developers.facebook.com) and "How to format a customer list when creating a
//   custom audience" (facebook.com/business/help/2082575038703844)
// - Google, "Format user data" (developers.google.com/data-manager) and "Format your customer data file"
//   (support.google.com/google-ads/answer/7659867)
// - LinkedIn, "Requirements for contact targeting lists" (linkedin.com/help/lms/answer/a1489764) and its CSV template
// - TikTok, "List of supported IDs and formats for a customer file" (ads.tiktok.com/help)
// - X, "Custom Audiences User Data" (developer.x.com)
import { hash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { type AdFormat, adFiles, type AdPerson } from "./ad-columns.ts"

const unknown: AdPerson = {
  hashedEmail: "f".repeat(64),
  email: null,
  businessEmail: null,
  personalEmail: null,
  firstName: null,
  lastName: null,
  phone: null,
  jobTitle: null,
  companyName: null,
  city: null,
  state: null,
  country: null,
}

const sha256 = (text: string) => hash("sha256", text, "hex")

/** The person's first line. */
const line = (format: AdFormat, known: Partial<AdPerson>) =>
  adFiles[format].lines({ ...unknown, ...known })[0]!

/** The person's first line by column; of columns with the same name, the first. */
const cells = (format: AdFormat, known: Partial<AdPerson>) => {
  const values = line(format, known)
  return Object.fromEntries(
    (adFiles[format].header ?? ["email"]).map((name, at) => [name, values[at]]).toReversed(),
  )
}

describe("the columns", () => {
  it.each([
    ["meta", "email,email,email,phone,fn,ln,ct,st,country"],
    ["google", "Email,Email,Email,Phone,First Name,Last Name,Country,Zip"],
    ["linkedin", "email,firstname,lastname,jobtitle,employeecompany,country,googleaid"],
    ["tiktok", "Email_SHA256,Email_SHA256,Email_SHA256,Phone_SHA256"],
    ["x", undefined],
  ] as const)("of %s are those of its template, and every line has as many", (format, header) => {
    expect(adFiles[format].header?.join(",")).toBe(header)
    expect(line(format, {})).toHaveLength(adFiles[format].header?.length ?? 1)
  })

  it.each(["meta", "google", "linkedin", "tiktok", "x"] as const)(
    "of %s are empty for what is not known, except the hash that a person always has",
    (format) => {
      const [email, ...rest] = line(format, {})

      expect(email).toBe(unknown.hashedEmail)
      expect(rest.every((cell) => cell === "")).toBe(true)
      expect(
        line(format, { firstName: " ", lastName: "", phone: "", city: "  " })
          .slice(1)
          .join("")
          .trim(),
      ).toBe("")
    },
  )

  it("have the person's different addresses, at most three, and never the same twice", () => {
    const known = {
      email: "a@x.example",
      businessEmail: "a@x.example",
      personalEmail: "b@x.example",
    }

    expect(line("meta", known).slice(0, 4)).toEqual([
      sha256("a@x.example"),
      sha256("b@x.example"),
      "",
      "",
    ])
    expect(
      line("google", { email: "a.b@gmail.com", personalEmail: "ab@gmail.com" }).slice(0, 2),
    ).toEqual([sha256("ab@gmail.com"), ""])
    expect(adFiles.x.lines({ ...unknown, ...known })).toEqual([
      [sha256("a@x.example")],
      [sha256("b@x.example")],
    ])
  })
})

describe("Meta", () => {
  it.each([
    [
      "email",
      { email: "John_Smith@gmail.com" },
      "62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f",
    ],
    [
      "phone",
      { phone: "+16505551212" },
      "e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176",
    ],
    [
      "fn",
      { firstName: "Mary" },
      "6915771be1c5aa0c886870b6951b03d7eafc121fea0e80a5ea83beb7c449f4ec",
    ],
    ["fn", { firstName: "정" }, "8fa8cd9c440be61d0151429310034083132b35975c4bea67fdd74158eb51db14"],
    [
      "fn",
      { firstName: "Valéry" },
      "08e1996b5dd49e62a4b4c010d44e4345592a863bb9f8e3976219bac29417149c",
    ],
  ])("hashes the %s of its own example %j as it says", (column, known, hashed) => {
    expect(cells("meta", known)[column]).toBe(hashed)
  })

  it.each([
    ["fn", { firstName: "Vale\u0301ry" }, "valéry"],
    ["fn", { firstName: "  Zoë " }, "zoë"],
    ["ln", { lastName: "O'Neil-Smith, Jr." }, "oneilsmith jr"],
    ["ln", { lastName: "Strauß" }, "strauß"],
    ["ln", { lastName: "ΠΑΠΑΔΟΠΟΥΛΟΣ" }, "παπαδοπουλος"],
    ["ln", { lastName: "محمد" }, "محمد"],
    ["ct", { city: "New York" }, "newyork"],
    ["ct", { city: "Saint-Étienne" }, "saintétienne"],
    ["ct", { city: "दिल्ली" }, "दिल्ली"],
    ["st", { state: "CA" }, "ca"],
    ["st", { state: "Nordrhein-Westfalen" }, "nordrheinwestfalen"],
    ["country", { country: "US" }, "us"],
  ])("writes the %s of %j as %s", (column, known, written) => {
    expect(cells("meta", known)[column]).toBe(sha256(written.normalize("NFC")))
  })

  it("keeps periods and tags of an address, and the ASCII form of its domain", () => {
    expect(cells("meta", { email: "j.doe+news@gmail.com" })["email"]).toBe(
      sha256("j.doe+news@gmail.com"),
    )
    expect(cells("meta", { email: "jo@xn--mnchen-3ya.example" })["email"]).toBe(
      sha256("jo@xn--mnchen-3ya.example"),
    )
  })

  it.each(["United States", "u", "USA", "1A"])(
    "leaves out the country %s, which is no ISO 3166 code",
    (country) => {
      expect(cells("meta", { country })["country"]).toBe("")
    },
  )
})

describe("Google", () => {
  it.each([
    ["cloudy.sanfrancisco+shopping@gmail.com", "cloudysanfrancisco@gmail.com"],
    ["user.name+NYC@Example.com", "user.name+nyc@example.com"],
    ["j.doe@googlemail.com", "jdoe@googlemail.com"],
    ["j.doe@gmail.com.example", "j.doe@gmail.com.example"],
    ["+news@gmail.com", "+news@gmail.com"],
  ])("reads the address %s as %s", (email, written) => {
    expect(cells("google", { email })["Email"]).toBe(sha256(written))
  })

  it("hashes a phone number in E.164: (800)555-0100 is +18005550100", () => {
    expect(cells("google", { phone: "+18005550100" })["Phone"]).toBe(sha256("+18005550100"))
  })

  it.each([
    ["First Name", { firstName: "Joanna" }, "joanna"],
    ["First Name", { firstName: "Dr. Zoë" }, "zoë"],
    ["First Name", { firstName: "Mrs" }, "mrs"],
    ["First Name", { firstName: "Drew" }, "drew"],
    ["Last Name", { lastName: "King, Jr." }, "king"],
    ["Last Name", { lastName: "Windsor III" }, "windsor"],
    ["Last Name", { lastName: "de  la   Cruz" }, "de la cruz"],
    ["Last Name", { lastName: "Ivanov" }, "ivanov"],
  ])("hashes the %s of %j as %s", (column, known, written) => {
    expect(cells("google", known)[column]).toBe(sha256(written))
  })

  it("writes the country plain, and no postal code", () => {
    expect(cells("google", { country: "sg" })).toMatchObject({ Country: "SG", Zip: "" })
  })
})

describe("LinkedIn", () => {
  it("hashes the address alone, and writes the rest plain", () => {
    const known = {
      email: "Mike@Example.com",
      firstName: "Mike",
      lastName: "Müller",
      jobTitle: "Software Engineer",
      companyName: "Microsoft Corporation",
      country: "US",
    }

    expect(line("linkedin", known)).toEqual([
      sha256("mike@example.com"),
      "Mike",
      "Müller",
      "Software Engineer",
      "Microsoft Corporation",
      "US",
      "",
    ])
  })
})

describe("TikTok", () => {
  it("hashes its own examples as it says", () => {
    const { Email_SHA256, Phone_SHA256 } = cells("tiktok", {
      email: "janedoe@gmail.com",
      phone: "+37493828222",
    })

    expect(Email_SHA256).toBe("d6117306485ed0e50afab3ac871e98f81699151f30281527d63ff5f233656c69")
    expect(Phone_SHA256).toBe("65b7e6dcf6f4310f8d7cbfbd78289a753062fb054d6664fb9aaac5df66a422d4")
  })

  it("removes a plus sign and what follows it, at every domain", () => {
    expect(cells("tiktok", { email: "firstname-lastname+a+b@x.example" })["Email_SHA256"]).toBe(
      sha256("firstname-lastname@x.example"),
    )
  })
})

describe("X", () => {
  it("hashes without a salt, in lower case", () => {
    expect(line("x", { email: "Support@Twitter.com" })).toEqual([sha256("support@twitter.com")])
  })
})
