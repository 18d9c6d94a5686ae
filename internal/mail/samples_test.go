package mail

import netmail "net/mail"

var testHouse = house{
	From:  &netmail.Address{Name: "Greenroom", Address: "hello@greenroom.example"},
	Inbox: "inbox@greenroom.example", Support: "support@greenroom.example", Site: "https://greenroom.example",
}

const sampleLink = "https://greenroom.example/auth/v1/verify?token=5f0c8a7d2b6e4f91a3c8d7e6b5a4938271605f4e3d2c1b0a99887766&type=recovery&redirect_to=https%3A%2F%2Fgreenroom.example%2Fauth%2Freset-password"

// samples has every kind of letter once.
var samples = []Letter{
	Confirm{To: "ada@example.com", Link: sampleLink, Code: "482913"},
	Reset{To: "ada@example.com", Link: sampleLink, Code: "482913"},
	MagicLink{To: "ada@example.com", Link: sampleLink, Code: "482913"},
	Invite{To: "ada@example.com", Link: sampleLink},
	EmailChangeOld{To: "ada@example.com", NewEmail: "ada.new@example.com", Link: sampleLink},
	EmailChangeNew{To: "ada@example.com", OldEmail: "ada@example.com", Link: sampleLink},
	EmailChanged{To: "ada@example.com", NewEmail: "ada.new@example.com"},
	Reauthenticate{To: "ada@example.com", Code: "482913"},
	PasswordChanged{To: "ada@example.com", Passkeys: 2},
	AlreadyRegistered{To: "ada@example.com"},
	AddressProven{To: "ada@example.com", Password: true, Accounts: 1, Passkeys: 1, Factors: 2, Sessions: 1},
	FactorAdded{To: "ada@example.com", Factor: "Phone"},
	FactorRemoved{To: "ada@example.com"},
	IdentityConnected{To: "ada@example.com", Provider: "google"},
	IdentityDisconnected{To: "ada@example.com", Provider: "email"},
	PasskeyAdded{To: "ada@example.com", Passkey: "iCloud Keychain"},
	PasskeyRemoved{To: "ada@example.com"},
	RecoveryCodesMade{To: "ada@example.com"},
	RecoveryCodeUsed{To: "ada@example.com", Left: 7},
	WorkshopConfirmed{To: "ada@example.com", Name: "Ada Lovelace", Workshop: "Build Your Personal Brand with AI", Host: "Maya Okafor", When: "Late November 2025, 13:30 to 14:15", Spot: 7, Spots: 12},
	WorkshopWaiting{To: "ada@example.com", Name: "Ada Lovelace", Workshop: "Build Your Personal Brand with AI", Host: "Maya Okafor", When: "Late November 2025, 13:30 to 14:15"},
	WaitlistJoined{To: "ada@example.com", Name: "Ada", Course: "Screenwriting for Streaming", Link: "https://greenroom.example/course/1f0e"},
	CourseLaunched{To: "ada@example.com", Name: "Ada", Course: "Documentary Filmmaking", Instructor: "Ines Duarte", Link: "https://greenroom.example/course/1f0e"},
	CertificateReady{To: "ada@example.com", Name: "Ada", Course: "Documentary Filmmaking", Code: "7K2M-9QXR-4T0B", Link: "https://greenroom.example/certificate/7K2M-9QXR-4T0B"},
	QuestionsAsked{To: "ada@example.com", Name: "Ada", Course: "Documentary Filmmaking", Many: 3, Link: "https://greenroom.example/teach/1f0e?tab=questions"},
	QuestionAnswered{To: "ada@example.com", Name: "Ada", Course: "Documentary Filmmaking", Question: "Which lens for interviews?", Many: 1, Teacher: true, Link: "https://greenroom.example/learn/1f0e/2a0c?question=77aa"},
	LessonsOpened{To: "ada@example.com", Name: "Ada", Count: 2, Link: "https://greenroom.example/learn", Leave: "https://greenroom.example/unsubscribe/5f0c8a7d2b6e4f91a3c8d7e6b5a49382", Lessons: []OpenedLesson{{"Light before lens", "Documentary Filmmaking"}, {"Sound", "Documentary Filmmaking"}}},
	YourData{To: "ada@example.com", Link: "https://greenroom.example/your-data/open?token=5f0c8a7d2b6e4f91a3c8d7e6b5a49382"},
	Inquiry{Form: "sponsorship", Name: "Grace Hopper", Email: "grace@example.com", Company: "Harbour Light Pictures", Phone: "+1 555 0100", Message: "Hello,\n\nwe would like to sponsor the acting workshops of the coming season. Whom may we talk to?\n\nBest wishes\nGrace"},
}
