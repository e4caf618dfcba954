import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { OwnPage } from "~/components/site/own-page";
import { Button, ButtonLink } from "~/components/ui/button";
import { FailedLine } from "~/components/ui/failed-line";
import { TextLink } from "~/components/ui/link";
import { More } from "~/components/ui/more";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { useHold } from "~/features/cart/actions";
import { AgeDialog } from "~/features/cart/components/age-dialog";
import { cartQuery } from "~/features/cart/queries";
import { addressOf, type SavedSearch, searchesQuery } from "~/features/saved/queries";
import { session } from "~/features/session/store";
import { messageOf } from "~/lib/api/problem";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { dateTime } from "~/lib/time";
import { useVisible } from "~/lib/visible";
import { emailNotifications, markRead, type Notification, notificationsQuery, settingsQuery } from "../queries";
import { detailOf, pageOf, titleOf } from "../texts";

/** What an alert leads to: the button that holds the cheapest, and all that the search finds. */
function AlertActions({ it, search }: { it: Notification; search: SavedSearch | undefined }) {
  const { hold, isPending, error } = useHold();
  const { data: cart } = useQuery(cartQuery);
  const isHeld = cart?.items.some(({ listingId }) => listingId === it.listingId);
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-2">
      {isHeld ? (
        <ButtonLink to={paths.checkout} size="small">
          In your cart: go to checkout
        </ButtonLink>
      ) : (
        <Button
          kind={error ? "quiet" : "primary"}
          size="small"
          busy={isPending}
          aria-label={`${error ? "Try again" : "Add to cart"}: ${it.name}`}
          onClick={() =>
            hold({
              listingId: it.listingId,
              assetContractAddress: it.assetContractAddress,
              name: it.name,
              image: it.image,
              price: it.amount,
              count: 1,
            })
          }
        >
          {error ? "Try again" : "Add to cart"}
        </Button>
      )}
      {error && !isHeld && <span className="text-bone-muted">{messageOf(error)}</span>}
      {search && it.quantity > 1 && (
        <TextLink to={addressOf(search.filters)} className="inline-flex min-h-11 items-center">
          See all matches
        </TextLink>
      )}
    </p>
  );
}

function Row({ it, unread }: { it: Notification; unread: boolean }) {
  const isAlert = it.kind === "alert";
  const { data: searches } = useQuery({ ...searchesQuery, enabled: isAlert });
  const search = searches?.find(({ searchId }) => searchId === it.searchId);
  return (
    <li
      className={cn(
        "grid grid-cols-[3.5rem_minmax(0,1fr)] items-start gap-x-4 border-t border-line py-4 sm:gap-x-6",
        unread && "bg-night-1 px-3",
      )}
    >
      <img
        src={it.image}
        alt=""
        width={600}
        height={640}
        loading="lazy"
        className="aspect-[600/640] w-full rounded border border-line bg-night-1 object-cover object-top"
      />
      <div className="min-w-0">
        <p className="break-words text-lg">
          <Link
            to={isAlert && search && it.quantity > 1 ? addressOf(search.filters) : pageOf(it)}
            className="underline decoration-bronze-dim underline-offset-4 hover:decoration-ember"
          >
            {titleOf(it)}
          </Link>
          {unread && <span className="caption ml-3 text-ember">New</span>}
        </p>
        <p className="text-bone-muted">{detailOf(it)}</p>
        {isAlert && <AlertActions it={it} search={search} />}
        <time dateTime={it.createdAt} className="figures text-sm text-bone-muted">
          {dateTime(it.createdAt)}
        </time>
      </div>
    </li>
  );
}

/** Whether what is unread is emailed. */
function Emails() {
  const profile = useStore(session, (s) => s.profile);
  const { data, error, refetch } = useQuery(settingsQuery);
  // One after the other, so that the last choice is the one that stays.
  const choose = useMutation({ mutationFn: emailNotifications, scope: { id: "notification-emails" } });
  if (!profile?.emailConfirmed) {
    const does = profile?.AccountInfo.PrivateInfo.Email ? "confirm your email" : "add an email";
    return (
      <p className="mt-4 text-bone-muted">
        To get them by email too, <TextLink to={paths.settings}>{does}</TextLink> in your settings.
      </p>
    );
  }
  if (!data)
    return error ? (
      <FailedLine onRetry={refetch}>Your choice of emails did not load.</FailedLine>
    ) : (
      <Skeleton className="mt-4 h-11 max-w-sm" />
    );
  return (
    <>
      <label className="mt-4 flex min-h-11 w-fit cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          checked={choose.isPending ? choose.variables : data.email}
          onChange={({ target }) => choose.mutate(target.checked)}
          className="size-5 shrink-0 accent-ember"
        />
        Email me what I have not read
      </label>
      {choose.error && (
        <p role="alert" className="text-bad">
          {messageOf(choose.error)}
        </p>
      )}
    </>
  );
}

function List() {
  const query = useInfiniteQuery(notificationsQuery);
  const { data, error, refetch } = query;
  // What was unread when the player came stays marked until the page is left.
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const items = data?.pages.flatMap((page) => page.items);
  const newest = items?.[0];
  const visible = useVisible();
  useEffect(() => {
    const unread = data?.pages.flatMap((page) => page.items.filter(({ read }) => !read)) ?? [];
    if (!unread.length || !newest) return;
    setFresh((before) =>
      unread.every(({ notificationId }) => before.has(notificationId))
        ? before
        : new Set([...before, ...unread.map((it) => it.notificationId)]),
    );
    // Unread ones stay unread if this fails; the next visit tries again.
    if (visible) markRead(newest.notificationId).catch(() => {});
  }, [data, newest, visible]);
  if (!items) {
    if (error) return <DidNotLoad what="Your notifications" error={error} onRetry={refetch} />;
    return (
      <div className="grid gap-4" aria-busy="true">
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
      </div>
    );
  }
  if (!items.length) {
    return (
      <EmptyState title="Nothing yet" action={<ButtonLink to={paths.sell}>Sell something</ButtonLink>}>
        When something of yours is sold, a listing ends, or a saved search has new matches, you see it here.
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="border-b border-line">
        {items.map((it) => (
          <Row key={it.notificationId} it={it} unread={fresh.has(it.notificationId)} />
        ))}
      </ul>
      <More query={query} />
    </>
  );
}

/** What happened to the player's listings. Seen means read, on every device. */
export function Notifications() {
  return (
    <OwnPage heading="Notifications" lead="What was sold, listings that need you, and new matches of your searches." aside={<Emails />}>
      <List />
      <AgeDialog />
    </OwnPage>
  );
}
