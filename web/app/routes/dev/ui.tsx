import { type ReactNode, useState } from "react";
import { pageMeta } from "~/components/site/page-meta";
import { Button, ButtonLink } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/checkbox";
import { Copyable } from "~/components/ui/copyable";
import { Countdown } from "~/components/ui/countdown";
import { Dialog } from "~/components/ui/dialog";
import { FailedLine } from "~/components/ui/failed-line";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { FormResult } from "~/components/ui/form-result";
import { CloseIcon, DownIcon, MenuIcon, UserIcon } from "~/components/ui/icon";
import { ItemCard } from "~/components/ui/item-card";
import { ExternalLink, TextLink } from "~/components/ui/link";
import { PageLoader } from "~/components/ui/loader";
import {
  CartIcon,
  CheckIcon,
  ClockIcon,
  FilterIcon,
  LockIcon,
  RightIcon,
  SearchIcon,
  TrashIcon,
  WalletIcon,
  WarningIcon,
} from "~/components/ui/market-icons";
import { Menu } from "~/components/ui/menu";
import { More } from "~/components/ui/more";
import { PasswordField } from "~/components/ui/password-field";
import { Price } from "~/components/ui/price";
import { ProgressStep } from "~/components/ui/progress-step";
import { RarityBadge, rarities } from "~/components/ui/rarity";
import { ScrollArea } from "~/components/ui/scroll-area";
import { SearchField } from "~/components/ui/search-field";
import { CompactSelect, Select } from "~/components/ui/select";
import { Skeleton } from "~/components/ui/skeleton";
import { Spinner } from "~/components/ui/spinner";
import { EmptyState, FailedState } from "~/components/ui/states";
import { Tabs } from "~/components/ui/tabs";
import { TextArea } from "~/components/ui/text-area";
import { notify, notifyHeld, Toaster } from "~/components/ui/toasts";
import { Tooltip } from "~/components/ui/tooltip";
import { WindowedGrid } from "~/components/ui/windowed-grid";
import type { Availability } from "~/features/market/availability";
import { ListingCardSkeleton, Ribbon } from "~/features/market/components/listing-card";
import { ApiError } from "~/lib/api/problem";
import { paths } from "~/lib/paths";
import shield from "~art/shield.svg";

export const meta = () => pageMeta("Parts", "Every part of the interface in every state, for those who build pages.");

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-5 border-t border-line py-10">
      <h2 className="display text-3xl">{title}</h2>
      <div className="flex flex-wrap items-start gap-6">{children}</div>
    </section>
  );
}

const colours = [
  "night",
  "night-1",
  "night-2",
  "night-3",
  "bone",
  "bone-muted",
  "bronze",
  "bronze-dim",
  "ember",
  "ember-bright",
  "good",
  "bad",
];
const sizes = ["text-xs", "text-sm", "text-base", "text-lg", "text-xl", "text-2xl", "text-3xl", "text-4xl", "text-5xl"];
const icons = {
  MenuIcon,
  CloseIcon,
  DownIcon,
  UserIcon,
  CartIcon,
  RightIcon,
  SearchIcon,
  FilterIcon,
  WarningIcon,
  CheckIcon,
  ClockIcon,
  LockIcon,
  TrashIcon,
  WalletIcon,
};
const wait = () => new Promise<void>((done) => setTimeout(done, 1500));

/** A list with another page. */
const list = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false, fetchNextPage: wait };

function Dialogs() {
  const [open, setOpen] = useState<"dialog" | "drawer" | null>(null);
  return (
    <>
      <Button onClick={() => setOpen("dialog")}>Dialog</Button>
      <Button kind="quiet" onClick={() => setOpen("drawer")}>
        Drawer
      </Button>
      <Dialog
        open={open !== null}
        kind={open ?? "dialog"}
        onOpenChange={(now) => {
          if (!now) setOpen(null);
        }}
        title="Break the piggy bank?"
        description="What is inside becomes Fate. The pig does not come back."
      >
        <div className="p-6">
          <Button>Break it</Button>
        </div>
      </Dialog>
    </>
  );
}

function Forms() {
  return (
    <div className="w-full max-w-md">
      <Form
        rules={{ name: (v) => (v.length < 3 ? "Use 3 to 20 characters." : undefined), email: () => undefined }}
        action="Send"
        onSubmit={async ({ email }) => {
          await wait();
          if (email) throw new ApiError("This e-mail is taken.", 409, [{ location: "body.email", message: "This e-mail is taken." }]);
        }}
      >
        {(errors) => (
          <>
            <Field label="Name" name="name" hint="What other players see." error={errors.name} />
            <Field label="E-mail" name="email" hint="Leave it empty to succeed." error={errors.email} />
            <Field label="Wrong" name="wrong" defaultValue="Zeus" error="This name is taken." />
            <Field label="Disabled" name="disabled" defaultValue="Not now" disabled />
            <PasswordField label="Password" name="password" autoComplete="new-password" hint="At least 8 characters." />
            <PasswordField
              label="Wrong password"
              name="wrong-password"
              autoComplete="current-password"
              defaultValue="owl"
              error="Use at least 8 characters."
            />
            <Select label="Choice" name="choice" options={choices} hint="One of few." />
            <Select label="Wrong choice" name="wrong-choice" options={choices} error="Choose one." />
            <TextArea label="Longer text" name="text" rows={3} hint="What happened, and when." />
            <TextArea label="Wrong text" name="wrong-text" rows={3} defaultValue="Hm." error="Use at least 10 characters." />
          </>
        )}
      </Form>
    </div>
  );
}

const choices = [
  { value: "market", label: "The market" },
  { value: "harbour", label: "The harbour" },
];

/** Inputs that filter immediately. */
function Narrowing() {
  const [words, setWords] = useState("");
  const [kind, setKind] = useState("market");
  const [free, setFree] = useState(false);
  return (
    <>
      <SearchField label="Search" placeholder="Names, traits…" value={words} onChange={setWords} className="w-72" />
      <CompactSelect label="Place" value={kind} options={choices} onChange={setKind} className="w-48" />
      <Checkbox checked={free} onChange={setFree}>
        Only what is free
      </Checkbox>
      <Checkbox checked={false} onChange={() => {}} disabled>
        Disabled
      </Checkbox>
      <p className="self-center text-bone-muted">
        {words ? `“${words}”` : "Everything"} at {kind}
      </p>
    </>
  );
}

/** What replaces a form takes the focus too: it is shown on request. */
function SentForms() {
  const [tone, setTone] = useState<"good" | "bad">();
  return (
    <>
      {(["good", "bad"] as const).map((each) => (
        <Button key={each} kind="quiet" onClick={() => setTone(each)}>
          Sent: {each}
        </Button>
      ))}
      {tone && (
        <FormResult key={tone} title={tone === "good" ? "It is on its way" : "This link is too old"} tone={tone}>
          {tone === "good" ? "The email is there within a minute." : "Ask for a new one; they are free."}
        </FormResult>
      )}
    </>
  );
}

function TabsInUse() {
  const [tab, setTab] = useState("owners");
  return (
    <div className="w-full">
      <Tabs
        label="About the item"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: "owners", label: "Owners", content: <p className="py-4">Four people keep one.</p> },
          { value: "sales", label: "Sales", content: <p className="py-4">Nothing has been sold yet.</p> },
        ]}
      />
    </div>
  );
}

/**
 * A card in each state of a listing: free, several left, in the cart, in other carts, the player's own. A sold one
 * disappears.
 */
const cards = (until: number): { name: string; state: Availability; action: ReactNode }[] => [
  { name: "Free", state: { kind: "free", left: 1 }, action: <Button size="small">Hold</Button> },
  { name: "Several left", state: { kind: "free", left: 3 }, action: <Button size="small">Hold</Button> },
  {
    name: "Being held",
    state: { kind: "free", left: 1 },
    action: (
      <Button size="small" busy>
        Hold
      </Button>
    ),
  },
  {
    name: "In your cart",
    state: { kind: "mine", count: 1, until, left: 2 },
    action: (
      <Button size="small" kind="quiet">
        +1
      </Button>
    ),
  },
  {
    name: "Held by another player",
    state: { kind: "held", until },
    action: (
      <Button size="small" kind="quiet" disabled>
        Held
      </Button>
    ),
  },
  { name: "Your own listing", state: { kind: "selling" }, action: null },
];

/** Every component in every state. It is part of the development build only. */
export default function Parts() {
  const [until] = useState(() => Date.now() + 10 * 60_000);
  return (
    <div className="mx-auto max-w-[100rem] px-4 pb-20 pt-16 sm:px-8">
      <h1 className="display text-5xl">Parts</h1>
      <Part title="Colour">
        {colours.map((name) => (
          <div key={name} className="grid gap-2">
            <svg width="120" height="72" aria-hidden="true" className="rounded border border-line">
              <rect width="120" height="72" fill={`var(--color-${name})`} />
            </svg>
            <span className="text-sm">{name}</span>
          </div>
        ))}
      </Part>
      <Part title="Type">
        <div className="grid gap-4">
          {sizes.map((size) => (
            <p key={size} className={`display ${size}`}>
              {size}: twelve gods, ten castings
            </p>
          ))}
          <p className="max-w-[34rem]">
            Running text in Alegreya Sans: find a relic, put it in your cart, and nobody else can touch it until your time is up.
          </p>
          <p className="caption text-bronze">Caption</p>
          <p className="figures">0123456789 in figures of one width</p>
        </div>
      </Part>
      <Part title="Buttons">
        {(["primary", "quiet", "bare"] as const).map((kind) => (
          <div key={kind} className="flex flex-wrap items-center gap-4">
            <Button kind={kind} size="small">
              Small
            </Button>
            <Button kind={kind}>Medium</Button>
            <Button kind={kind} size="large">
              Large
            </Button>
            <Button kind={kind} busy>
              Busy
            </Button>
            <Button kind={kind} disabled>
              Disabled
            </Button>
            <ButtonLink kind={kind} to={paths.home}>
              A link
            </ButtonLink>
          </div>
        ))}
      </Part>
      <Part title="Links">
        <TextLink to={paths.home}>In running text</TextLink>
        <ExternalLink href="https://eips.ethereum.org">Leaves the site</ExternalLink>
      </Part>
      <Part title="Icons">
        {Object.entries(icons).map(([name, Icon]) => (
          <span key={name} className="grid w-24 justify-items-center gap-2 text-sm">
            <Icon size={24} />
            {name.replace("Icon", "")}
          </span>
        ))}
      </Part>
      <Part title="Forms">
        <Forms />
      </Part>
      <Part title="Search and pick">
        <Narrowing />
      </Part>
      <Part title="After a form">
        <SentForms />
      </Part>
      <Part title="Wider than the page">
        <ScrollArea aria-label="A wide table" className="w-full max-w-md">
          <table className="w-max">
            <tbody>
              <tr>
                {colours.map((name) => (
                  <td key={name} className="px-6 py-3">
                    {name}
                  </td>
                ))}
              </tr>
            </tbody>
          </table>
        </ScrollArea>
      </Part>
      <Part title="Rarity">
        {rarities.map((rarity) => (
          <RarityBadge key={rarity} rarity={rarity} />
        ))}
      </Part>
      <Part title="Prices and time">
        <Copyable text="0x00000000000000000000000000000000000000A1" what="address" />
        <Price value="1234.5" />
        <Price value="0.000001" />
        <Countdown until={until} label="Held for" />
        <Countdown until={until - 9.2 * 60_000} label="Held for" />
      </Part>
      <Part title="Cards">
        {rarities.map((rarity) => (
          <div key={rarity} className="w-64">
            <ItemCard to={paths.market} image={shield} name="Shield of the Unsetting Sun" rarity={rarity}>
              <Price value="304.80" />
              <Button size="small">Hold</Button>
            </ItemCard>
          </div>
        ))}
      </Part>
      <Part title="Cards in every state">
        {cards(until).map(({ name, state, action }) => (
          <div key={name} className="w-64">
            <ItemCard
              to={paths.market}
              image={shield}
              name={name}
              rarity="mythic"
              dimmed={state.kind === "held"}
              overlay={<Ribbon state={state} />}
            >
              <Price value="304.80" />
              {action}
            </ItemCard>
          </div>
        ))}
        <div className="w-64">
          <ItemCard to={paths.market} image={shield} name="Owned: no price" rarity="mythic" />
        </div>
        <div className="w-64">
          <ListingCardSkeleton />
        </div>
      </Part>
      <Part title="Loading">
        {/* Black by default, so it needs a light background. */}
        <span className="bg-bone p-4">
          <Spinner />
        </span>
        <Spinner color="currentColor" size={48} />
        <Skeleton className="h-24 w-64" />
        <PageLoader className="w-64" />
      </Part>
      <Part title="Nothing, and failed">
        <EmptyState title="No sails yet" action={<Button>Go to the market</Button>}>
          Arks you buy are moored here.
        </EmptyState>
        <FailedState onRetry={wait}>We could not reach the market.</FailedState>
        <FailedLine onRetry={wait}>The balance did not load.</FailedLine>
      </Part>
      <Part title="The rest of a list">
        <More query={list} className="" />
        <More query={{ ...list, isFetchingNextPage: true }} className="" />
        <More query={{ ...list, isFetchNextPageError: true }} className="" />
      </Part>
      <Part title="Steps">
        <ol>
          {["Placed", "On its way", "Yours"].map((title, i) => (
            <ProgressStep key={title} title={title} done={i === 0} now={i === 1} last={i === 2} className="pb-6" />
          ))}
        </ol>
      </Part>
      <Part title="Tabs">
        <TabsInUse />
      </Part>
      <Part title="Menus, dialogs, tooltips, toasts">
        <Menu label="A menu">
          <ul className="border-l border-bronze-dim pl-4">
            <li>One</li>
            <li>Two</li>
          </ul>
        </Menu>
        <Dialogs />
        <Tooltip text="We pay the fee of the chain.">
          {(id) => (
            <button type="button" aria-describedby={id} className="underline decoration-bronze underline-offset-4">
              No gas
            </button>
          )}
        </Tooltip>
        {(["blank", "success", "error", "loading"] as const).map((kind) => (
          <Button key={kind} kind="quiet" onClick={() => notify(kind, `This is a ${kind} toast`)}>
            Toast: {kind}
          </Button>
        ))}
        <Button kind="quiet" onClick={() => notifyHeld({ imageUrl: shield, title: "Shield of the Unsetting Sun", total: 2 })}>
          Toast: held
        </Button>
      </Part>
      <Part title="Long lists">
        <div className="w-full">
          <WindowedGrid label="Shields" items={Array.from({ length: 5_000 }, (_, i) => i + 1)} keyOf={String}>
            {(n) => (
              <ItemCard to={paths.market} image={shield} name={`Shield ${n}`} rarity="common">
                <Price value={String(n)} />
              </ItemCard>
            )}
          </WindowedGrid>
        </div>
      </Part>
      <Toaster />
    </div>
  );
}
