package mail_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"

	"pantheon/internal/kit/email"
	ours "pantheon/internal/mail"
)

// server is an SMTP server (RFC 5321) that accepts emails, or refuses one command.
type server struct {
	listener net.Listener
	refuse   map[string]string // response by command
	group    sync.WaitGroup

	mu   sync.Mutex
	from string
	to   []string
	data []string
}

func serve(t *testing.T, refuse map[string]string) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{listener: l, refuse: refuse}
	s.group.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.group.Go(func() { s.talk(conn) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); s.group.Wait() })
	return s
}

func (s *server) talk(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	say := func(text string) { _, _ = io.WriteString(conn, text+"\r\n") }
	say("220 mail.example")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
		if answer := s.refuse[verb]; answer != "" {
			say(answer)
			continue
		}
		switch verb {
		case "EHLO":
			say("250-mail.example\r\n250-8BITMIME\r\n250 AUTH PLAIN")
		case "MAIL":
			s.mu.Lock()
			s.from = line
			s.mu.Unlock()
			say("250 ok")
		case "RCPT":
			s.mu.Lock()
			s.to = append(s.to, line)
			s.mu.Unlock()
			say("250 ok")
		case "DATA":
			say("354 go on")
			var b strings.Builder
			for {
				l, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if l == ".\r\n" {
					break
				}
				b.WriteString(l)
			}
			s.mu.Lock()
			s.data = append(s.data, b.String())
			s.mu.Unlock()
			if answer := s.refuse["."]; answer != "" {
				say(answer)
				continue
			}
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func (s *server) sender(t *testing.T, security string) *ours.SMTP {
	t.Helper()
	port := s.listener.Addr().(*net.TCPAddr).Port
	out, err := ours.NewSMTP(ours.SMTPOptions{
		Host: "127.0.0.1", Port: port, Security: security, From: "The Portal <portal@portal.example>", Brand: brand,
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var message = email.Queued{
	Message: email.Message{
		To: "zeus@olympus.example", ReplyTo: "hera@olympus.example", Subject: "Über dein Paßwort",
		Text: "Hello,\n\n.a line with a dot\nhttps://portal.example/new-password?token=" + strings.Repeat("A", 90) + "\n",
	},
	ID:        "0190-1",
	CreatedAt: opening,
}

// Spec: SAFE-13
func TestSMTP_EmailReachesTheServerAsItIs(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	if err := s.sender(t, ours.PlainTCP).Send(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.from, "<portal@portal.example>") || len(s.to) != 1 ||
		!strings.Contains(s.to[0], "<zeus@olympus.example>") || len(s.data) != 1 {
		t.Fatalf("from %s to %v, %d emails", s.from, s.to, len(s.data))
	}
	m, err := mail.ReadMessage(strings.NewReader(strings.ReplaceAll(s.data[0], "\r\n..", "\r\n."))) // RFC 5321, section 4.5.2
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"From": `"The Portal" <portal@portal.example>`, "To": "<zeus@olympus.example>", "Reply-To": "<hera@olympus.example>",
		"Message-ID": "<0190-1@portal.example>",
		"Date":       "Sun, 01 Mar 2026 12:00:00 +0000", "Auto-Submitted": "auto-generated",
	} {
		if got := m.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	kind, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("it is %s, %v", kind, err)
	}
	parts := multipart.NewReader(m.Body, parameters["boundary"])
	for _, want := range []struct{ kind, text string }{
		{
			"text/plain", "Hello,\n\n.a line with a dot\nhttps://portal.example/new-password?token=" + strings.Repeat("A", 90) +
				"\n\n-- \nHarbour & Sons\n",
		},
		{"text/html", `<a class="button" href="https://portal.example/new-password?token=` + strings.Repeat("A", 90) + `"`},
	} {
		part, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(part)
		text := strings.ReplaceAll(string(body), "\r\n", "\n")
		if err != nil || !strings.HasPrefix(part.Header.Get("Content-Type"), want.kind) || !strings.Contains(text, want.text) {
			t.Errorf("%s: %v, %v\n%s", want.kind, part.Header, err, text)
		}
	}
	if agent := m.Header.Get("User-Agent") + m.Header.Get("X-Mailer"); agent != "" {
		t.Errorf("it tells by what it was sent: %q", agent)
	}
}

func TestSMTP_WhichEmailsAreNotTriedAgain(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		refuse    map[string]string
		permanent bool
	}{
		"no such mailbox":      {map[string]string{"RCPT": "550 no such mailbox"}, true},
		"refused as spam":      {map[string]string{".": "554 spam"}, true},
		"a full mailbox":       {map[string]string{"RCPT": "452 full"}, false},
		"come back later":      {map[string]string{".": "451 grey-listed"}, false},
		"we may not send":      {map[string]string{"MAIL": "550 who are you?"}, false},
		"a server that is off": {map[string]string{"EHLO": "421 closing", "HELO": "421 closing"}, false},
	} {
		err := serve(t, c.refuse).sender(t, ours.PlainTCP).Send(t.Context(), message)
		if err == nil || errors.Is(err, ours.ErrPermanent) != c.permanent {
			t.Errorf("%s: %v; permanent: want %v", what, err, c.permanent)
		}
	}
	bad := message
	bad.To = "no address"
	if err := serve(t, nil).sender(t, ours.PlainTCP).Send(t.Context(), bad); !errors.Is(err, ours.ErrPermanent) {
		t.Errorf("no address: %v", err)
	}
}

// If the connection must be encrypted and the server cannot, nothing is sent.
func TestSMTP_NothingIsSentInTheClearWhereThatIsNotAllowed(t *testing.T) {
	t.Parallel()
	for _, security := range []string{ours.StartTLS, ours.TLS, "", "unknown"} {
		s := serve(t, nil)
		if security == ours.TLS {
			// The plaintext server would wait forever for a line from a TLS client.
			_ = s.listener.Close()
		}
		if err := s.sender(t, security).Send(t.Context(), message); err == nil || errors.Is(err, ours.ErrPermanent) || len(s.data) != 0 {
			t.Errorf("%q: %v, %d emails", security, err, len(s.data))
		}
	}
}

func TestSMTP_ServerIsChecked(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	if err := s.sender(t, ours.PlainTCP).Check(t.Context()); err != nil {
		t.Error(err)
	}
	gone := s.sender(t, ours.PlainTCP)
	_ = s.listener.Close()
	if err := gone.Check(t.Context()); err == nil {
		t.Error("a server that is not there is fine")
	}
	if _, err := ours.NewSMTP(ours.SMTPOptions{From: "portal"}); err == nil || !strings.Contains(fmt.Sprint(err), "SMTP_FROM") {
		t.Errorf("a sender that is no address: %v", err)
	}
}
