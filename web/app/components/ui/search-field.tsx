import { useEffect, useRef, useState } from "react";
import { cn } from "~/lib/cn";
import { inputLook } from "./field";
import { SearchIcon } from "./market-icons";

/** The delay after the last key before the search, in milliseconds. */
const typingPause = 250;

interface SearchFieldProps {
  label: string;
  placeholder: string;
  /** The search text in the page's address. */
  value: string;
  onChange: (words: string) => void;
  className?: string;
}

/** A search field. Its trimmed value is passed on after a short pause. */
export function SearchField({ label, placeholder, value, onChange, className }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);
  // The address was changed otherwise, such as by the browser's back button or "Clear the filters". It follows what is
  // sent with a delay, so only its changes count: otherwise what is typed meanwhile would be lost.
  if (value !== seen) {
    setSeen(value);
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  });
  useEffect(() => {
    const words = text.trim();
    if (words === sent) return;
    const timer = setTimeout(() => {
      setSent(words);
      tell.current(words);
    }, typingPause);
    return () => clearTimeout(timer);
  }, [text, sent]);
  return (
    <label className={cn("relative block", className)}>
      <span className="sr-only">{label}</span>
      <span className="pointer-events-none absolute inset-y-0 left-3.5 grid place-items-center text-bone-muted">
        <SearchIcon />
      </span>
      <input
        type="search"
        value={text}
        maxLength={100}
        placeholder={placeholder}
        onChange={(event) => setText(event.target.value)}
        className={cn(inputLook, "h-11 pl-11")}
      />
    </label>
  );
}
