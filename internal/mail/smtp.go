package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"pantheon/internal/kit/email"
)

// Security of the connection to the SMTP server.
const (
	StartTLS = "starttls" // the server must offer it
	TLS      = "tls"      // from the first byte
	PlainTCP = "none"     // not at all
)

// SMTPOptions configure the server.
type SMTPOptions struct {
	Host, Username, Password string
	Port                     int
	Security                 string // StartTLS, TLS or PlainTCP
	From                     string // an address, or "Name <address>"
	Brand                    Brand
}

// SMTP sends emails through a server. It is safe for concurrent use.
type SMTP struct {
	o    SMTPOptions
	from *mail.Address
}

// NewSMTP returns the sender. It connects with the first email.
func NewSMTP(o SMTPOptions) (*SMTP, error) {
	from, err := mail.ParseAddress(o.From)
	if err != nil {
		return nil, errors.New("SMTP_FROM: must be an address, such as Portal <portal@example.com>")
	}
	if from.Name == "" {
		from.Name = o.Brand.Name
	}
	return &SMTP{o, from}, nil
}

// client returns a client for one connection, and a function that closes the connection: the library leaves it open
// if the greeting fails. With TLS the library opens the connection itself and knows that it may authenticate on it; a
// connection left open then is closed by the garbage collector.
func (s *SMTP) client() (c *gomail.Client, hangUp func(), err error) {
	var dialled net.Conn
	hangUp = func() {
		if dialled != nil {
			_ = dialled.Close() // usually closed already
		}
	}
	options := []gomail.Option{gomail.WithPort(s.o.Port), gomail.WithTimeout(15 * time.Second), gomail.WithHELO(hostOf(s.from.Address))}
	switch s.o.Security {
	case TLS:
		options = append(options, gomail.WithSSL())
	case PlainTCP:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if s.o.Username != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.o.Username),
			gomail.WithPassword(s.o.Password))
	}
	if s.o.Security != TLS {
		options = append(options, gomail.WithDialContextFunc(func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			dialled = conn
			return conn, err
		}))
	}
	c, err = gomail.NewClient(s.o.Host, options...)
	return c, hangUp, err
}

// Check reports whether the server answers and accepts the credentials.
func (s *SMTP) Check(ctx context.Context) error {
	c, hangUp, err := s.client()
	if err != nil {
		return err
	}
	defer hangUp()
	if err := c.DialWithContext(ctx); err != nil {
		return err
	}
	return c.Close()
}

// Send sends one email; see Sender.
func (s *SMTP) Send(ctx context.Context, message email.Queued) error {
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := m.FromFormat(s.from.Name, s.from.Address); err != nil {
		return fmt.Errorf("sender: %w", err)
	}
	if err := m.To(message.To); err != nil {
		return fmt.Errorf("recipient: %w: %w", err, ErrPermanent)
	}
	if message.ReplyTo != "" {
		if err := m.ReplyTo(message.ReplyTo); err != nil {
			return fmt.Errorf("reply address: %w: %w", err, ErrPermanent)
		}
	}
	m.Subject(message.Subject)
	m.SetMessageIDWithValue(message.ID + "@" + hostOf(s.from.Address))
	m.SetDateWithValue(message.CreatedAt)
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no automatic replies
	page, err := s.o.Brand.HTML(message.Message, ReadersScheme)
	if err != nil {
		return fmt.Errorf("layout: %w: %w", err, ErrPermanent)
	}
	m.SetBodyString(gomail.TypeTextPlain, s.o.Brand.Text(message.Message))
	m.AddAlternativeString(gomail.TypeTextHTML, page)
	c, hangUp, err := s.client()
	if err != nil {
		return err
	}
	defer hangUp()
	err = c.DialAndSendWithContext(ctx, m)
	if e, ok := errors.AsType[*gomail.SendError](err); ok && isRefusal(e) {
		return fmt.Errorf("%w: %w", err, ErrPermanent)
	}
	return err
}

// isRefusal reports whether the server has permanently refused this email (RFC 5321, section 4.2.1), not the connection
// or the sender.
func isRefusal(e *gomail.SendError) bool {
	if e.IsTemp() || e.ErrorCode() < 500 {
		return false
	}
	return e.Reason == gomail.ErrSMTPRcptTo || e.Reason == gomail.ErrSMTPData || e.Reason == gomail.ErrSMTPDataClose
}

func hostOf(address string) string {
	_, host, _ := strings.Cut(address, "@")
	return host
}
