package account_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/gen"
	fake "pantheon/test/contract/playfab"
)

// brokenAnswers are responses of a failing PlayFab.
func brokenAnswers() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"cut": fake.Cut(), "nonsense": fake.Text(200, "<html>"), "trouble": fake.Refuse(fake.InternalServerError), "busy": fake.Slow(30),
	}
}

// Spec: ACCOUNT-15
func TestSettings_PlayerIsRenamed(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		h.register(account.Registration{Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers"})
		if err := h.Rename(t.Context(), caller, "  Zeus   the\u00a0Great "); err != nil {
			t.Fatal(err)
		}
		for from, get := range map[string]func() (account.Identity, error){
			"the platform": func() (account.Identity, error) { return h.Player(t.Context(), caller) },
			"the portal":   func() (account.Identity, error) { return accounts.New(h.db).Player(t.Context(), caller.PlayerID) },
		} {
			if id, err := get(); err != nil || id.DisplayName != "Zeus the Great" {
				t.Errorf("for %s the player is %+v, %v", from, id, err)
			}
		}
		if err := h.Rename(t.Context(), caller, "Zeus the Great"); err != nil {
			t.Errorf("the own name again: %v", err)
		}
		f := fault.As(h.Rename(t.Context(), caller, "Hera"))
		if f == nil || f.Code != fault.Conflict || len(f.Fields) != 1 || f.Fields[0].Location+": "+f.Fields[0].Message != nameTaken {
			t.Errorf("another's name: %v", f)
		}
		for _, name := range []string{"", "  ", "Ze", strings.Repeat("z", 21), "Ze\x00us", "Ze\nus"} {
			if f := fault.As(h.Rename(t.Context(), caller, name)); f == nil || f.Code != fault.Invalid ||
				f.Fields[0].Location != "body.displayName" {
				t.Errorf("%q: %v", name, f)
			}
		}
		// The old name is available.
		if _, err := h.Register(t.Context(), account.Registration{
			Email: "new@olympus.example", DisplayName: "Zeus", Password: "lightning rods",
		}); err != nil {
			t.Errorf("the name from before: %v", err)
		}
	})
}

// Spec: ACCOUNT-16
func TestSettings_PasswordIsChangedByTheOldOneAndEndsTheOtherSessions(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		here, there := h.register(zeus), h.login(zeus)
		link := h.forget(zeus.Email)
		changed, err := h.ChangePassword(t.Context(), h.caller(here.Token), zeus.Password, "new thunder")
		if err != nil || !changed {
			t.Fatalf("%v, %v", changed, err)
		}
		h.caller(here.Token)
		_, err = h.Authenticate(t.Context(), there.Token)
		h.mustBeSignedOut("the other session", err)
		if len(h.closed.sessions) != 1 {
			t.Errorf("connections of %v were closed", h.closed.sessions)
		}
		h.mustHaveWritten(zeus.Email, "Your password was changed")
		_, err = h.Login(t.Context(), zeus.Email, zeus.Password)
		mustFail(t, "the old password", err, fault.Unauthorized, "Invalid email or password")
		if _, err := h.Login(t.Context(), zeus.Email, "new thunder"); err != nil {
			t.Errorf("the new password: %v", err)
		}
		mustFail(t, "a link from before", h.ResetPassword(t.Context(), link, "newer thunder"), fault.Invalid, account.ErrRecoveryLink.Message)
	})
}

// PlayFab changes passwords only through its email: it is sent, and nothing else changes.
// Spec: ACCOUNT-16
func TestSettings_AtPlayFabAPasswordIsChangedByAMailedLink(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "playfab", func(t *testing.T, h house) {
		here, there := h.register(zeus), h.login(zeus)
		changed, err := h.ChangePassword(t.Context(), h.caller(here.Token), zeus.Password, "new thunder")
		if err != nil || changed {
			t.Fatalf("%v, %v", changed, err)
		}
		if mails := h.fake.Mails(); len(mails) != 1 || mails[0].To != zeus.Email {
			t.Errorf("the mails are %+v", mails)
		}
		h.caller(here.Token)
		h.caller(there.Token)
		h.login(zeus)
	})
}

// Spec: ACCOUNT-16
func TestSettings_PasswordChangesThatAreRefused(t *testing.T) {
	t.Parallel()
	const current, next = "body.current", "body.password"
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		before := len(h.emails())
		for _, c := range []struct {
			current, password string
			fields            []string
			reason            string
		}{
			{"", "", []string{current, next}, ""},
			{"thunder and rain", "x", []string{next}, ""},
			{"thunder and rain", "thunder and rain", []string{next}, ""},
			{"thunder and rain", "qwerty123", []string{next}, ""},
			{"thunder and rain", strings.Repeat("a1", 51), []string{next}, ""},
			{"Thunder", "new thunder", []string{current}, account.ReasonWrong},
			{strings.Repeat("p", 1<<20), "new thunder", []string{current}, account.ReasonWrong},
		} {
			changed, err := h.ChangePassword(t.Context(), caller, c.current, c.password)
			f := fault.As(err)
			if changed || f == nil || f.Code != fault.Invalid || f.Reason != c.reason || len(f.Fields) != len(c.fields) {
				t.Errorf("%.20q to %.20q: %v, %v", c.current, c.password, changed, err)
				continue
			}
			for i, field := range f.Fields {
				if field.Location != c.fields[i] {
					t.Errorf("%.20q to %.20q: %+v", c.current, c.password, f.Fields)
				}
			}
		}
		h.login(zeus)
		if emails := h.emails(); len(emails) != before {
			t.Errorf("emails were written: %+v", emails)
		}
	})
}

func (h house) login(r account.Registration) account.Credentials {
	h.t.Helper()
	c, err := h.Login(h.t.Context(), r.Email, r.Password)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

// Spec: ACCOUNT-15
func TestSettings_NamesThatLookAlikeAreOneName(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"Zeus", "ZEUS", "ＺＥＵＳ", "Zеus" /* Cyrillic е */, "Ζeus" /* Greek Ζ */, "ᴢeuꜱ", " zeus "},
		{"paypal", "раураl" /* Cyrillic */, "ｐａｙｐａｌ"},
		{"Zoë", "Zoe\u0308", "ZOË"},
		{"Straße", "STRASSE"},
		{"Ares", "Αres", "Аres", "ɑres"},
		// Capitals that look like another letter than their small forms: of Greek, and of Armenian.
		{"Hera", "Ηera", "\U0001D6AEera" /* a mathematician's */}, {"nera", "ηera"}, {"Nike", "Νike", "ΝΙΚΕ", "NIKE"}, {"vike", "νike", "νικε"},
		{"Yuri", "Υuri"}, {"Xavi", "Χανι"}, {"Leto", "Լeto"}, {"Selene", "Տelene"}, {"Cora", "Ϲora"}, {"Iris", "Ӏris"},
		{"Apollo", "Apoӏӏo", "Apoǀǀo"},
		// Wholly in another script, and in signs.
		{"POCO", "РОСО", "росо"}, {"Ïo", "Їо"}, {"Zeus", "ΖΕUS", "ΖΕՍՏ", "ZE∪S", "Z℮us"},
		// Names that do not read as Latin are equal in all cases.
		{"Zeus ❤", "Zeus ❤\ufe0f", "zeus ❤\ufe0e"}, {"Zeus 👩🚀", "Zeus 👩\u200d🚀"}, {"میخواهم", "می\u200cخواهم"}, // not all fonts show them
		{"Νίκη", "νίκη", "ΝΊΚΗ"}, {"Ελενη", "ΕΛΕΝΗ"}, {"Зевс", "ЗЕВС"},
	} {
		for _, name := range same[1:] {
			if account.NameKey(name) != account.NameKey(same[0]) {
				t.Errorf("%q and %q are two names (%q, %q)", name, same[0], account.NameKey(name), account.NameKey(same[0]))
			}
		}
	}
	for _, apart := range [][2]string{
		{"Zeus", "Zeus1"}, {"Zoe", "Zoë"}, {"Player O", "Player 0"}, {"Player l", "Player 1"}, {"Иван", "Ivan"}, {"Hera", "Nera"},
		{"Νίκη", "Nike"},
	} {
		if account.NameKey(apart[0]) == account.NameKey(apart[1]) {
			t.Errorf("%q and %q are one name", apart[0], apart[1])
		}
	}
}

// Spec: ACCOUNT-15
func TestSettings_LookalikeNamesAreTakenOnce(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		first := h.caller(h.register(zeus).Token)
		caller := h.caller(h.register(account.Registration{
			Email: "hera@olympus.example", DisplayName: "Hera", Password: "peacock feathers",
		}).Token)
		h.mustBeTaken("with a Cyrillic letter", "iris@olympus.example", "Zеus", nameTaken)
		h.mustBeTaken("with a Greek letter", "iris@olympus.example", "Ζeus", nameTaken)
		f := fault.As(h.Rename(t.Context(), caller, "Zеus"))
		if f == nil || f.Code != fault.Conflict || len(f.Fields) != 1 || f.Fields[0].Location+": "+f.Fields[0].Message != nameTaken {
			t.Errorf("renamed to it: %v", f)
		}
		if err := h.Rename(t.Context(), first, "ΖEUS"); err != nil {
			t.Errorf("the player's own name in other letters: %v", err)
		}
		if err := h.Rename(t.Context(), first, "Jupiter"); err != nil {
			t.Error(err)
		}
		if err := h.Rename(t.Context(), caller, "Zеus"); err != nil {
			t.Errorf("once it is free: %v", err)
		}
		if err := h.delete(first, zeus.Password, ""); err != nil {
			t.Error(err)
		}
		h.register(account.Registration{Email: "iris@olympus.example", DisplayName: "Juрiter", Password: "sandals and wings"})
	})
}

// A game may have given two players names that look alike: both sign in, and nobody else gets such a name.
// Spec: ACCOUNT-15
func TestSettings_NamesThatTheGameGaveKeepNobodyOut(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "playfab", func(t *testing.T, h house) {
		other := account.Registration{Email: "other@olympus.example", DisplayName: "Zеus", Password: "lightning rods"}
		if _, err := h.platform.Register(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		h.register(zeus)
		for range 2 {
			h.login(other)
			h.login(zeus)
		}
		h.mustBeTaken("a third", "iris@olympus.example", "ΖEUS", nameTaken)
	})
}

// Names are compared by a stored key: if its rules change, each sign-in updates it.
// Spec: ACCOUNT-15
func TestSettings_SignInRecomputesTheKeyOfAName(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		id := h.caller(h.register(zeus).Token).PlayerID
		if err := h.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return errors.Join(
				tx.DropOtherNames(ctx, gen.DropOtherNamesParams{PlayerID: id, NameKey: "by older rules"}),
				tx.TakeName(ctx, gen.TakeNameParams{PlayerID: id, NameKey: "by older rules"}))
		}); err != nil {
			t.Fatal(err)
		}
		h.login(zeus)
		h.mustBeTaken("a name that looks the same", "iris@olympus.example", "Zеus", nameTaken)
		h.register(account.Registration{Email: "iris@olympus.example", DisplayName: "by older rules", Password: "sandals and wings"})
	})
}

// The player was read before the name changed; the session is opened after it.
func TestSettings_ConcurrentSignInKeepsTheNewName(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		before, err := h.Player(t.Context(), caller)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Rename(t.Context(), caller, "Jupiter"); err != nil {
			t.Fatal(err)
		}
		s := account.Session{ID: "late", PlayerID: before.PlayerID, CreatedAt: h.clock.Now(), ExpiresAt: h.clock.Now().Add(time.Hour)}
		if _, err := accounts.New(h.db).OpenSession(t.Context(), before, s, "hash", h.clock.Now()); err != nil {
			t.Fatal(err)
		}
		if id, err := h.Player(t.Context(), caller); err != nil || id.DisplayName != "Jupiter" {
			t.Errorf("the player is %+v, %v", id, err)
		}
	})
}

// Spec: ACCOUNT-15
func TestSettings_ValidNames(t *testing.T) {
	t.Parallel()
	const (
		unseen, letter = "This name has characters that cannot be shown.", "A name needs a letter or a digit."
		script         = "Please write your name in one widely used alphabet."
	)
	for name, want := range map[string]string{
		"Zeus": "", "Ζεύς": "", "Зевс": "", "宙斯大神": "", "زيوس": "", "Zoe\u0308": "", "Nguyễn": "", "O'Neill-2": "", "Zeus ⚡": "",
		"Ze\u200dus": unseen, "Zeu\ufe0fs": unseen, "Zeu\u3164s": unseen, "\u2800\u2800\u2800": unseen, "Ze\u00adus": unseen,
		"Zx\u0301\u0302us": "", "Zx\u0301\u0302\u0303us": unseen, "Ze\U000e0041us": unseen, "Ze\u2066us": unseen, "...": letter, "⚡⚡⚡": letter,
		"Ελένη 7": "", "Օդին": "", "אתנה": "", "อะธีนา": "", "アテナの神殿": "", "제우스 大神": "", "ㄓㄡ宙斯": "",
		// one script each, or the scripts of one language
		"Zеus": "", "РОСО": "", "Τοm": "", // reads as Latin, and is compared as Latin
		"Zeus Громовержец": script, "Зeвс": script /* Latin e */, "Ἀres": script, "Hermes מ": script, "Διас": script,
		// Emoji sequences, and joiners where Persian, Hindi and Sinhala need them.
		"Zeus ❤\ufe0f": "", "Zeus 👩\u200d🚀": "", "Zeus 👩🏽\u200d❤\ufe0f\u200d👨🏽": "", "Zeus 1\ufe0f\u20e3": "", "Zeus 🏳\ufe0f\u200d🌈": "",
		"Zeus ↔\ufe0f":  "",
		"می\u200cخواهم": "", "क्\u200dषत्रिय": "", "क्\u200cषत्रिय": "", "ශ්\u200dරී ලංකා": "",
		// Elsewhere they are invisible: two names would look the same.
		"Zeus\u200d": unseen, "\u200cZeus": unseen, "Ze\u200cus": unseen, "Zeus 🚀\u200d": unseen, "Zeus\u200d🚀": unseen, "Zeus \ufe0f": unseen,
		"Zeus 1\ufe0f":       unseen,
		"Zeus ❤\ufe0f\ufe0f": unseen, "Zeus 👩\u200d\u200d🚀": unseen, "زي\u200dوس": unseen, "क\u200dषत्रिय": unseen, "宙\u200d斯大神": unseen,
		"Ͷ\u200cزيو": unseen,
		"ᏃᎬᏌᏚ":       script, "ᏃᎬUS": script, "ꓜꓰꓴꓢ": script, "Ⲟdin": script, "ⲀⲐⲎⲚⲀ": script, "ᚢᛞᛁᚾ": script, // rarely used scripts
	} {
		if got := account.NameFault(name); got != want {
			t.Errorf("%+q: %q, want %q", name, got, want)
		}
	}
}

// reservedOf is what names are reserved on a site of this brand.
var reservedOf = account.NewReserved([]string{"Pantheon", "King of Destiny"}, []string{"Elder Gods", "Piggy banks", "Arks"})

// Spec: ACCOUNT-15
func TestNames_ReservedOnesAreRefused(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		for _, name := range []string{
			"Pantheon", "PANTHEON", "pantheon support", "The Pantheon", "P a n t h e o n", "Pantheon_Team", "Раntheоn" /* Cyrillic */, "Ｐａｎｔｈｅｏｎ",
			"P4nth30n", "Pánthéon",
			"King-of-Destiny", "Kingofdestiny2", "Elder Gods", "elder god", "The Elder Gods", "E1der G0ds", "Piggy bank", "Ark",
			"official", "Zeus Official", "0fficial", "OfficiaI", "0ff1c1al", "Support", "$upport", "Customer Service", "Help-Desk",
			"admin", "Admin7", "ZeusAdmin", "superadmin", "adrnin", "аdmin" /* Cyrillic */, "@dmin", "Administrator", "ADMlN", "Moderator",
			"rnoderator",
			"adm1n", "Pantheon_Admin", "AdminTeam", "adminteam", "7Admin7", "74dm1n7", "x A d m i n x", "Zeus.admin.2", "4dmin", "Zeus7admin",
			"admins", "Adm-inTeam", "|admin|",
			"mod", "Zeus Mod", "ZeusMod", "[MOD] Zeus", "m0d", "Staff", "staff 12", "Zeus.Staff", "5taff", "System", "Root", "Security",
			"Official ✅",
		} {
			f := fault.As(h.Rename(t.Context(), caller, name))
			if f == nil || f.Code != fault.Invalid || len(f.Fields) != 1 ||
				!strings.HasPrefix(f.Fields[0].Message, "Others could take this name for ours. Please choose one without ") {
				t.Errorf("%q: %v", name, f)
			}
			_, err := h.Register(t.Context(), account.Registration{
				Email: "iris@olympus.example", DisplayName: name, Password: "correct horse battery",
			})
			if f := fault.As(err); f == nil || len(f.Fields) != 1 || f.Fields[0].Location != "body.displayName" {
				t.Errorf("registered as %q: %v", name, err)
			}
		}
		for _, name := range []string{
			caller.PlayerID, strings.ToLower(caller.PlayerID), "0123456789ABCDEF", "O123456789ABCDEF", "01 23 45 67 89 AB", "A1B2C3D4E5F60",
			"А1В2С3D4Е5F6" /* Cyrillic */, "deadbeefcafe",
			"0x12ab34cd", "0x12ab...34cd", "0X12AB34CD", "zeus@olympus.example", "zeus＠olympus", "a@b", "id:42", "ID: 42", "email:zeus", "name:Zeus",
		} {
			f := fault.As(h.Rename(t.Context(), caller, name))
			if f == nil || len(f.Fields) != 1 ||
				f.Fields[0].Message != "This name looks like a player's id, an email or a wallet address. Please choose another." {
				t.Errorf("%q: %v", name, f)
			}
		}
		for _, name := range []string{
			"Modesty", "Model 7", "Staffan", "Falstaff", "Elder Godson", "Elder Gods Fan", "Noah's Ark", "Arkwright", "Admiral", "Rooted",
			"Adalola Bella", "Zeus 12345", "Beef Cafe 2",
			"Badminton", "Badminton7", "badminton_fan", "Bad Minton", "Rad Minds", "Supporter", "Zeus Supporters", "Unofficial Zeus",
			"Zeus 2 Badminton",
			"Facade", "@zeus", "Oxford", "Ecosystem", "Иван", "宙斯大神",
		} {
			if err := h.Rename(t.Context(), caller, name); err != nil {
				t.Errorf("%q: %v", name, err)
			}
		}
	})
}

// Spec: ACCOUNT-17
func TestPasswords_NewOnesAreLongAndHardToGuess(t *testing.T) {
	t.Parallel()
	const (
		length  = "A new password has 8 to 100 characters."
		guessed = "This password is easy to guess. Try three unrelated words, and leave out your name and email."
	)
	for password, want := range map[string]string{
		"": "Please choose a password.", "k3x9 qz": length, "宙斯大神的密码": length, strings.Repeat("k3x9 qz ", 13): length,
		"k3x9 qzv": "", "new thunder": "", "correct horse battery": "", "with spaces and \x00 too": "", "宙斯大神的新密码": "", "долгий пароль": "",
		"ⲡⲁⲥⲥϣⲟⲣⲁⲡ": "",
		"12345678":  guessed, "password": guessed, "PASSWORD": guessed, "P4ssw0rd!": guessed, "qwerty123": guessed, "iloveyou1": guessed,
		"aaaaaaaa": guessed, "ｐａｓｓｗｏｒｄ": guessed,
		"abcdefghij": guessed, "абвгдежз": guessed, "аааааааа": guessed, "login123": guessed, strings.Repeat("k3", 50): guessed,
		// What others know of the player.
		"Hermes of Kyllene": guessed, "hermes of kyllene": guessed, "Hermes1234": guessed, "hermes@kyllene.example": guessed,
		"kyllene.example": guessed,
		"Ἑρμῆς":           length, "Ἑρμῆς Ἑρμῆς": guessed,
	} {
		if got := account.PasswordFault(password, "Hermes of Kyllene", "hermes@kyllene.example", "Ἑρμῆς Ἑρμῆς"); got != want {
			t.Errorf("%q: %q, want %q", password, got, want)
		}
	}
}

// New passwords are compared with the player's name and email wherever one is set; those of before still sign in.
// Spec: ACCOUNT-17
func TestPasswords_NewOnesAreNotThePlayersNameOrEmail(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		r := account.Registration{Email: zeus.Email, DisplayName: "Correct Horse", Password: "thunder and rain"}
		c := h.caller(h.register(r).Token)
		mustBeGuessed := func(what string, err error) {
			t.Helper()
			if f := fault.As(err); f == nil || len(f.Fields) != 1 || f.Fields[0].Location != "body.password" {
				t.Errorf("%s: %v", what, err)
			}
		}
		for _, password := range []string{"correct horse", "Zeus@Olympus.example"} {
			_, err := h.ChangePassword(t.Context(), c, r.Password, password)
			mustBeGuessed("changed", err)
			link := h.forget(r.Email)
			mustBeGuessed("reset", h.ResetPassword(t.Context(), link, password))
			if err := h.ResetPassword(t.Context(), link, r.Password); err != nil {
				t.Errorf("the link after a refusal: %v", err)
			}
			c = h.caller(h.login(r).Token)
		}
		if _, err := h.platform.Register(t.Context(), account.Registration{
			Email: "old@olympus.example", DisplayName: "Old", Password: "sandal",
		}); err != nil {
			t.Fatal(err)
		}
		h.login(account.Registration{Email: "old@olympus.example", Password: "sandal"})
	})
}

// The library's cost grows with the length; it counts substitutions too.
// Spec: ACCOUNT-17
func TestPasswords_OfAnyTextAreScoredWithinBounds(t *testing.T) {
	t.Parallel()
	for _, password := range []string{
		strings.Repeat("4@8({[</369&#!1|0$5+7%2", 4), strings.Repeat("a", 100), strings.Repeat("１９８４", 25),
		"\xff\xfe\xff\xfe\xff\xfe\xff\xfe", strings.Repeat("\U0001F531", 100),
	} {
		short := string([]rune(password)[:min(40, utf8.RuneCountInString(password))])
		if got, want := account.PasswordFault(password), account.PasswordFault(short); got != want {
			t.Errorf("%.10q: %q, its first 40 characters: %q", password, got, want)
		}
	}
}

func TestSettings_AddressesDifferByPlusTagButNotByCase(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h house) {
		h.register(zeus)
		plus := account.Registration{Email: "Zeus+Games@Olympus.Example", DisplayName: "Zeus Plus", Password: "lightning rods"}
		h.register(plus)
		if _, err := h.Login(t.Context(), "zeus+games@olympus.example", plus.Password); err != nil {
			t.Error(err)
		}
		_, err := h.Login(t.Context(), zeus.Email, plus.Password)
		mustFail(t, "the address without the plus", err, fault.Unauthorized, "Invalid email or password")
		h.mustBeTaken("the address with the plus", "ZEUS+GAMES@olympus.example", "Somebody", emailTaken)
	})
}

// Of two concurrent names the player gets one, everywhere: nobody else may have it, and the other one is available.
func TestSettings_ConcurrentRenamesStayConsistent(t *testing.T) {
	t.Parallel()
	eachHouseOn(t, "local", func(t *testing.T, h house) {
		caller := h.caller(h.register(zeus).Token)
		for i := range 20 {
			names := []string{fmt.Sprint("Jupiter ", i), fmt.Sprint("Jove ", i)}
			var wg sync.WaitGroup
			for _, name := range names {
				wg.Go(func() {
					if err := h.Rename(t.Context(), caller, name); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			id, err := accounts.New(h.db).Player(t.Context(), caller.PlayerID)
			if err != nil || !slices.Contains(names, id.DisplayName) {
				t.Fatalf("the player is %+v, %v", id, err)
			}
			h.mustBeTaken("the player's name", fmt.Sprintf("hera%d@olympus.example", i), id.DisplayName, nameTaken)
		}
	})
}
