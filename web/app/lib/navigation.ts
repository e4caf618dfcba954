import { useCallback, useLayoutEffect, useRef } from "react";
import {
  type NavigateOptions,
  type To,
  useLocation,
  useNavigationType,
  useNavigate as useRouterNavigate,
  useSearchParams as useRouterSearchParams,
} from "react-router";

/*
 * An answer may arrive when the page that asked for it has been left, or shows something else. The functions that these hooks
 * return belong to the page of the render in which they were made: once it is left they do nothing. Nothing else on the site
 * navigates or changes the address.
 */

/**
 * Returns whether the page of this render is still shown: the component is mounted, and the player has neither followed a link
 * nor gone back or forward since. Changes that replace the history entry, such as a chosen tab, stay on the page.
 */
function useIsShown(): () => boolean {
  const { key, pathname } = useLocation();
  // A constant of the router's, whose enumeration would add to every page.
  const replaced = (useNavigationType() as string) === "REPLACE";
  /** The page's path, and the keys of the locations that it has had. */
  const page = useRef<string[]>([]);
  useLayoutEffect(() => {
    page.current = replaced && page.current[0] === pathname ? [...page.current, key] : [pathname, key];
  }, [key, pathname, replaced]);
  useLayoutEffect(
    () => () => {
      page.current = [];
    },
    [],
  );
  return useCallback(() => page.current.includes(key), [key]);
}

/** Returns a function that navigates, and returns whether it did: not if the page has been left. */
export function useNavigate(): (to: To, options?: NavigateOptions) => Promise<boolean> {
  const navigate = useRouterNavigate();
  const isShown = useIsShown();
  return useCallback(
    async (to, options) => {
      const goes = isShown();
      if (goes) await navigate(to, options);
      return goes;
    },
    [navigate, isShown],
  );
}

/** The query of the page's address, and a function that changes it, unless the page has been left. */
export function useSearchParams(...initial: Parameters<typeof useRouterSearchParams>): ReturnType<typeof useRouterSearchParams> {
  const [query, setQuery] = useRouterSearchParams(...initial);
  const isShown = useIsShown();
  return [query, useCallback<typeof setQuery>((...change) => (isShown() ? setQuery(...change) : undefined), [setQuery, isShown])];
}

/** Returns a function that leaves the site for another address, and returns whether it did: not if the page has been left. */
export function useLeave(): (url: string) => boolean {
  const isShown = useIsShown();
  return (url) => {
    const goes = isShown();
    if (goes) location.assign(url);
    return goes;
  };
}
