package operator

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

// Player identifies a player.
type Player struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email,omitzero"`
}

// String returns the player's id, name and address.
func (p Player) String() string {
	if p.Email == "" {
		return fmt.Sprintf("%s (%s)", p.ID, p.Name)
	}
	return fmt.Sprintf("%s (%s, %s)", p.ID, p.Name, p.Email)
}

// Freeze says since when and why a player is frozen.
type Freeze struct {
	At     time.Time `json:"since"`
	Reason string    `json:"reason,omitzero"` // the player reads it; "" if the owner pressed "This was not me" in an email
}

// BySelf reports whether the account's owner has frozen it.
func (f Freeze) BySelf() bool { return f.Reason == "" }

// Frozen is a frozen player.
type Frozen struct {
	Player Player `json:"player"`
	Freeze
}

// Found is a player who was searched for.
type Found struct {
	Player
	Frozen *Freeze `json:"frozen,omitzero"`
}

// FreezeResult is what a freeze has done.
type FreezeResult struct {
	Frozen
	Already  bool   `json:"already"`       // was frozen before: only the reason has changed
	Sessions int    `json:"sessionsEnded"` // that ended
	Holds    int    `json:"holdsEnded"`    // that ended
	Shown    string `json:"shown"`         // what the player reads
}

// Unfrozen is a player whose freeze was lifted.
type Unfrozen struct {
	Player Player  `json:"player"`
	Was    *Freeze `json:"was,omitzero"` // nil if the player was not frozen
}

// Profile is what the portal knows of a player.
type Profile struct {
	Player
	Frozen   *Freeze      `json:"frozen,omitzero"`
	Wallet   *Wallet      `json:"wallet,omitzero"`
	Verified *eth.Address `json:"verifiedWallet,omitzero"` // the player's own
	Lists    []List       `json:"lists"`
	Rewards  RewardCounts `json:"rewards"`
}

// Wallet is the wallet that the portal keeps for a player.
type Wallet struct {
	Smart eth.Address `json:"smart"`
	Owner eth.Address `json:"embedded"`
}

// List is a player's membership of a list.
type List struct {
	Name  string    `json:"name"`
	Until time.Time `json:"until,omitzero"` // zero for no end
}

// RewardCounts are numbers of rewards by what became of them.
type RewardCounts struct {
	Done      int64 `json:"done"`
	Failed    int64 `json:"failed"`
	Cancelled int64 `json:"cancelled"`
	Open      int64 `json:"open"`
}

// Link is an address that signs a player in once.
type Link struct {
	Player Player `json:"player"`
	URL    string `json:"url"`
}

// By what a player is found.
const (
	ByAnything = ""
	ByID       = "id"
	ByEmail    = "email"
	ByName     = "name"
)

// Players stores players.
type Players interface {
	// FindPlayers returns the players with a value, which is not empty, by ByAnything, ByID, ByEmail or ByName.
	FindPlayers(ctx context.Context, by, value string) ([]Player, error)
	// PlayersOfWallet returns the players with a wallet: the smart wallet, its owner, or their own.
	PlayersOfWallet(ctx context.Context, wallet eth.Address) ([]Found, error)
	// WithFreezes returns players with their freezes.
	WithFreezes(ctx context.Context, players []Player) ([]Found, error)
	// Profile returns what is known of a player, with the lists of now. It returns fault.NotFound for an unknown player.
	Profile(ctx context.Context, playerID string) (Profile, error)
	// FrozenPlayers returns the frozen players, the longest frozen first.
	FrozenPlayers(ctx context.Context) ([]Frozen, error)
	// FreezePlayer freezes a player from the entry's time on and for its reason, ends all sessions, whose connections are closed after the
	// commit, and with them all approvals, ends all holds that no accepted payment covers, withdrawals, password reset links and codes,
	// cancels a requested deletion and closes the wallet. For a player who is already frozen it only changes the reason, after which the
	// freeze is not the owner's any more. It returns fault.NotFound for an unknown player.
	FreezePlayer(ctx context.Context, playerID string, e Entry) (FreezeResult, error)
	// UnfreezePlayer lifts a freeze, reopens the wallet, and returns the freeze; nil if the player was not frozen. It returns
	// fault.NotFound for an unknown player.
	UnfreezePlayer(ctx context.Context, playerID string, e Entry) (*Freeze, error)
	// PutOnList adds a player to a list, or changes until when. It returns fault.NotFound for an unknown player.
	PutOnList(ctx context.Context, playerID string, l List, e Entry) error
	// TakeOffList removes a player from a list and reports whether the player was on it.
	TakeOffList(ctx context.Context, playerID, list string, e Entry) (bool, error)
}

// Scores is where games report scores.
type Scores interface {
	// ReportScore reports a player's score on a board, with its entry in the operators' log. It returns fault.NotFound for an unknown
	// board or player.
	ReportScore(ctx context.Context, playerID, board string, score int64, e Entry) error
}

// Find returns the one player who matches id:ID, email:ADDRESS, name:NAME, or one of these alone. What is given alone must not fit
// two players: a player's name can be another's id or address. It returns fault.NotFound for an unknown player, and fault.Invalid where
// several players fit.
func (s *Service) Find(ctx context.Context, written string) (Player, error) {
	written = strings.TrimSpace(written)
	by, value := ByAnything, written
	if kind, rest, ok := strings.Cut(written, ":"); ok && (kind == ByID || kind == ByEmail || kind == ByName) {
		by, value = kind, strings.TrimSpace(rest)
	}
	var found []Player
	if value != "" {
		var err error
		if found, err = s.o.Store.FindPlayers(ctx, by, value); err != nil {
			return Player{}, err
		}
	}
	switch len(found) {
	case 0:
		return Player{}, fault.New(fault.NotFound, "There is no player with the id, email or name %q.", written)
	case 1:
		return found[0], nil
	}
	var ways []string
	for _, p := range found {
		ways = append(ways, fmt.Sprintf("id:%s (name %q, email %q)", p.ID, p.Name, p.Email))
	}
	return Player{}, fault.New(fault.Invalid, "Several players fit %q. Write one of these: %s.", written, strings.Join(ways, ", "))
}

// Search returns the players whom a text fits: an id, an email, a name, a wallet of theirs, or the id of their order. Case counts for ids
// only. There are none for an empty text. It logs who was found.
func (s *Service) Search(ctx context.Context, text string, by By) ([]Found, error) {
	found, err := s.search(ctx, strings.TrimSpace(text))
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if err := s.view(ctx, "player search", f.ID, by); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (s *Service) search(ctx context.Context, text string) ([]Found, error) {
	if text == "" {
		return []Found{}, nil
	}
	if wallet, err := eth.ParseAddress(text); err == nil {
		return s.o.Store.PlayersOfWallet(ctx, wallet)
	}
	players, err := s.o.Store.FindPlayers(ctx, ByAnything, text)
	if err != nil {
		return nil, err
	}
	if len(players) == 0 {
		o, err := s.o.Store.Order(ctx, text)
		switch {
		case fault.Is(err, fault.NotFound):
			return []Found{}, nil
		case err != nil:
			return nil, err
		}
		if players, err = s.o.Store.FindPlayers(ctx, ByID, o.PlayerID); err != nil {
			return nil, err
		}
	}
	return s.o.Store.WithFreezes(ctx, players)
}

func (s *Service) view(ctx context.Context, command, playerID string, by By) error {
	return s.o.Store.LogView(ctx, Entry{At: s.o.Clock.Now(), Who: by.Who, As: by.As, Command: command, Subject: playerID})
}

// View logs that a player, given by the id, was looked up, and returns what the portal knows. It returns fault.NotFound for an unknown
// player.
func (s *Service) View(ctx context.Context, playerID string, by By) (Profile, error) {
	profile, err := s.Player(ctx, ByID+":"+playerID)
	if err != nil {
		return profile, err
	}
	return profile, s.view(ctx, "player show", playerID, by)
}

// Player returns what the portal knows of a player, given as for Find.
func (s *Service) Player(ctx context.Context, player string) (Profile, error) {
	p, err := s.Find(ctx, player)
	if err != nil {
		return Profile{}, err
	}
	profile, err := s.o.Store.Profile(ctx, p.ID)
	profile.Player = p
	return profile, err
}

// FrozenPlayers returns the frozen players, the longest frozen first.
func (s *Service) FrozenPlayers(ctx context.Context) ([]Frozen, error) {
	return s.o.Store.FrozenPlayers(ctx)
}

// Freeze freezes a player, given as for Find, and returns what the freeze ended. The reason is shown to the player. Faults are those of
// Find, and fault.Invalid for a reason that cannot be displayed.
func (s *Service) Freeze(ctx context.Context, player string, by By) (FreezeResult, error) {
	e, err := s.entry(by, "player freeze", "", "")
	if err != nil && !isLine(e.Reason, MaxReason) {
		err = fault.New(fault.Invalid, "Give a reason of 1 to %d characters on one line: the player reads it.", MaxReason)
	}
	if err != nil {
		return FreezeResult{}, err
	}
	p, err := s.Find(ctx, player)
	if err != nil {
		return FreezeResult{}, err
	}
	e.Subject = p.ID
	out, err := s.o.Store.FreezePlayer(ctx, p.ID, e)
	out.Player, out.Shown = p, s.o.FrozenText(e.Reason)
	return out, err
}

// Unfreeze lifts a freeze, also one by the owner. Faults are those of Find.
func (s *Service) Unfreeze(ctx context.Context, player string, by By) (Unfrozen, error) {
	p, e, err := s.actOn(ctx, player, by, "player unfreeze", "")
	if err != nil {
		return Unfrozen{}, err
	}
	was, err := s.o.Store.UnfreezePlayer(ctx, p.ID, e)
	return Unfrozen{p, was}, err
}

// ReportScore reports what a player has scored in a game, as the game's server would. A board keeps the player's best, unless the game
// platform has another rule. Faults are those of Find, and fault.NotFound for an unknown board.
func (s *Service) ReportScore(ctx context.Context, player, board string, score int64, by By) (Player, error) {
	p, e, err := s.actOn(ctx, player, by, "player score", strconv.FormatInt(score, 10)+" on "+board)
	if err != nil {
		return Player{}, err
	}
	return p, s.o.Scores.ReportScore(ctx, p.ID, board, score, e)
}

var listName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// PutOnList adds a player to a list until a time, zero for no end. Faults are those of Find, and fault.Invalid for an invalid name of a
// list.
func (s *Service) PutOnList(ctx context.Context, player, list string, until time.Time, by By) (Player, error) {
	if !listName.MatchString(list) {
		return Player{}, fault.New(fault.Invalid, "A list's name has 1 to 40 lower-case letters, digits and hyphens.")
	}
	detail := list
	if !until.IsZero() {
		detail += " until " + until.UTC().Format(time.DateOnly)
	}
	p, e, err := s.actOn(ctx, player, by, "player whitelist add", detail)
	if err != nil {
		return Player{}, err
	}
	return p, s.o.Store.PutOnList(ctx, p.ID, List{list, until}, e)
}

// TakeOffList removes a player from a list. Faults are those of Find, and fault.NotFound if the player is not on it.
func (s *Service) TakeOffList(ctx context.Context, player, list string, by By) (Player, error) {
	p, e, err := s.actOn(ctx, player, by, "player whitelist remove", list)
	if err != nil {
		return Player{}, err
	}
	was, err := s.o.Store.TakeOffList(ctx, p.ID, list, e)
	if err == nil && !was {
		err = fault.New(fault.NotFound, "This player is not on the list %q.", list)
	}
	return p, err
}

// SignInLink returns an address of a page that signs a player in once, as a link from a game does. Whoever has it is the player: it is
// logged before it is returned. Faults are those of Find.
func (s *Service) SignInLink(ctx context.Context, player, page string, by By) (Link, error) {
	p, e, err := s.actOn(ctx, player, by, "player sign-in-link", page)
	if err != nil {
		return Link{}, err
	}
	url, err := s.o.SignInLink(p.ID, page, e.At)
	if err != nil {
		return Link{}, err
	}
	if err := s.o.Store.LogOperator(ctx, e); err != nil {
		return Link{}, err
	}
	return Link{p, url}, nil
}

// actOn returns the player of an act and its entry.
func (s *Service) actOn(ctx context.Context, player string, by By, command, detail string) (Player, Entry, error) {
	e, err := s.entry(by, command, "", detail)
	if err != nil {
		return Player{}, e, err
	}
	p, err := s.Find(ctx, player)
	e.Subject = p.ID
	return p, e, err
}
