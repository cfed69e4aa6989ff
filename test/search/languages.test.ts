// Libraries in languages other than English are searched by words, with or without spaces and accents.
import { describe, expect, it } from 'vitest'
import { useMemoryLibrary } from './memory-library.ts'

const library = useMemoryLibrary()

/** Five things that people do, each as an item, in the same order in every language. */
const IDS = ['rollback', 'invoices', 'images', 'meeting', 'database']

interface Language {
  readonly descriptions: readonly string[]
  /** A question for each of them. */
  readonly questions: readonly string[]
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Chinese: {
    descriptions: [
      '将生产环境回滚到上一个稳定版本，并通知值班人员。',
      '从发票中提取金额和日期，生成报销表格。',
      '批量压缩图片，并转换为网页使用的格式。',
      '整理会议记录，列出待办事项和负责人。',
      '备份数据库，并检查备份能否恢复。',
    ],
    questions: [
      '发布出错了，怎么回滚版本',
      '我想报销这些发票',
      '图片太大，帮我压缩',
      '会议的待办事项',
      '恢复数据库',
    ],
  },
  Japanese: {
    descriptions: [
      '本番環境を前の安定版に戻し、担当者に知らせます。',
      '請求書から金額と日付を読み取り、経費の表を作ります。',
      '画像をまとめて圧縮し、ウェブ用の形式に変換します。',
      '会議の議事録を整理し、担当者と期限を一覧にします。',
      'データベースをバックアップし、復元できるか確認します。',
    ],
    questions: [
      '本番を安定版に戻したい',
      '請求書の金額を集計したい',
      '画像を圧縮する方法',
      '議事録の整理',
      'ﾃﾞｰﾀﾍﾞｰｽの復元',
    ],
  },
  Thai: {
    descriptions: [
      'ย้อนระบบกลับไปยังรุ่นก่อนหน้าและแจ้งผู้ดูแล',
      'อ่านยอดเงินและวันที่จากใบแจ้งหนี้แล้วทำตารางเบิกค่าใช้จ่าย',
      'บีบอัดรูปภาพหลายไฟล์และแปลงเป็นรูปแบบสำหรับเว็บ',
      'สรุปรายงานการประชุมพร้อมรายการงานที่ต้องทำ',
      'สำรองฐานข้อมูลและตรวจสอบว่ากู้คืนได้',
    ],
    questions: [
      'อยากย้อนกลับไปรุ่นก่อน',
      'เบิกเงินจากใบแจ้งหนี้',
      'รูปภาพใหญ่เกินไป ช่วยบีบอัด',
      'ช่วยสรุปการประชุม',
      'กู้คืนฐานข้อมูลอย่างไร',
    ],
  },
  Korean: {
    descriptions: [
      '운영 환경을 이전 버전으로 되돌리고 담당자에게 알립니다.',
      '청구서에서 금액과 날짜를 읽어 경비 표를 만듭니다.',
      '이미지를 한꺼번에 압축하고 웹용 형식으로 변환합니다.',
      '회의록을 정리하고 할 일과 담당자를 적습니다.',
      '데이터베이스를 백업하고 복원되는지 확인합니다.',
    ],
    questions: [
      '이전 버전으로 되돌리는 방법',
      '청구서 금액',
      '이미지 압축',
      '회의록 정리해 줘',
      '데이터베이스 복원',
    ],
  },
  German: {
    descriptions: [
      'Setzt die Produktion auf die vorherige Fassung zurück und verständigt die Bereitschaft.',
      'Liest Beträge aus Rechnungen und füllt die Übersicht der Ausgaben.',
      'Verkleinert viele Bilder und überführt sie in Formate für das Web.',
      'Fasst die Sitzung zusammen und führt offene Aufgaben auf.',
      'Sichert die Datenbank und prüft, ob die Sicherung größer als gewöhnlich ist.',
    ],
    questions: [
      'zuruck zur vorherigen Fassung',
      'Betrage aus Rechnungen',
      'Bilder verkleinern fur das Web',
      'SITZUNG ZUSAMMENFASSEN, AUFGABEN',
      'Datenbank, groesser oder grosser',
    ],
  },
  French: {
    descriptions: [
      'Rétablit la version précédente en production et prévient l’équipe d’astreinte.',
      'Relève les montants des factures et prépare la note de frais.',
      'Compresse un lot d’images et les convertit pour le Web.',
      'Résume la réunion et dresse la liste des tâches à faire.',
      'Sauvegarde la base de données et vérifie la restauration.',
    ],
    questions: [
      'retablir la version precedente',
      'les montants de mes FACTURES',
      'compresse mes images',
      'résume la reunion',
      'restauration de la base de donnees',
    ],
  },
  Russian: {
    descriptions: [
      'Возвращает рабочую среду к прежней версии и сообщает дежурному.',
      'Берёт суммы из счетов и заполняет отчёт о расходах.',
      'Сжимает изображения и готовит их для сайта.',
      'Пишет краткий отчёт о встрече и список задач.',
      'Делает копию базы данных и проверяет восстановление.',
    ],
    questions: [
      'вернуть среду к прежней версии',
      'ОТЧЕТ о расходах',
      'изображения для сайта',
      'список задач встречи',
      'восстановление базы данных',
    ],
  },
  Vietnamese: {
    descriptions: [
      'Khôi phục phiên bản trước đó và báo cho người trực.',
      'Đọc số tiền trên hóa đơn và lập bảng chi phí.',
      'Nén hàng loạt hình ảnh cho trang web.',
      'Tóm tắt cuộc họp và liệt kê việc cần làm.',
      'Sao lưu cơ sở dữ liệu và kiểm tra bản sao.',
    ],
    questions: [
      'khoi phuc phien ban truoc',
      'hoa don chi phi',
      'nen hinh anh',
      'tom tat cuoc hop',
      'sao luu co so du lieu',
    ],
  },
}

describe.each(Object.entries(LANGUAGES))('in %s', (_, { descriptions, questions }) => {
  const fill = () =>
    library.fill(
      'project',
      ...descriptions.map((description, at) => ({ id: IDS[at]!, fields: { description: [description] } })),
    )

  it.each(questions.map((question, at) => [question, IDS[at]!]))('%s', (question, id) => {
    fill()
    expect(library.search(question).rows[0]?.id).toBe(id)
  })

  it('any part of a description as it stands is found as a phrase', () => {
    fill()
    descriptions.forEach((description, at) => {
      const words = description.split(' ')
      const part =
        words.length > 3 ? words.slice(1, 4).join(' ') : graphemes(description).slice(2, 7).join('')
      expect(library.search(`"${part}"`).rows.map(row => row.id)).toEqual([IDS[at]])
    })
  })
})

function graphemes(text: string): string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
}

describe('scripts without spaces', () => {
  it('are asked for by pairs: single characters in common find nothing', () => {
    library.fill('project', { id: 'bank', fields: { description: ['打开银行账户'] } })
    library.fill('user', { id: 'travel', fields: { description: ['旅行的行程'] } })
    expect(library.search('银行').rows.map(row => row.id)).toEqual(['bank'])
    expect(library.search('旅行计划').rows.map(row => row.id)).toEqual(['travel'])
  })

  it('are found by a single character, too', () => {
    library.fill(
      'project',
      { id: 'cat', fields: { description: ['给猫喂食'] } },
      { id: 'dog', fields: { description: ['遛狗'] } },
    )
    expect(library.search('猫').rows.map(row => row.id)).toEqual(['cat'])
    expect(library.search('狗*').rows.map(row => row.id)).toEqual(['dog'])
  })

  it.each([
    ['Lao', 'ສຳຮອງຖານຂໍ້ມູນທຸກຄືນ', 'ຖານຂໍ້ມູນ', 'ສະຫຼຸບກອງປະຊຸມ'],
    ['Khmer', 'បម្រុងទុកមូលដ្ឋានទិន្នន័យរៀងរាល់យប់', 'មូលដ្ឋានទិន្នន័យ', 'សង្ខេបកិច្ចប្រជុំ'],
    ['Burmese', 'ဒေတာဘေ့စ်ကို ညတိုင်း အရန်သိမ်းပါ', 'ဒေတာဘေ့စ် အရန်', 'အစည်းအဝေး မှတ်တမ်း'],
  ])('%s', (_, description, question, other) => {
    library.fill(
      'project',
      { id: 'backup', fields: { description: [description] } },
      { id: 'other', fields: { description: [other] } },
    )
    expect(library.search(question).rows[0]?.id).toBe('backup')
  })
})

it('names are found without their accents and in any width', () => {
  const named = (id: string, name: string) => ({ id, fields: { title: [name], name: [name] } })
  library.fill('project', named('menu', 'Crème brûlée'), named('api', 'ＡＰＩ仕様書'))
  expect(library.search('creme brulee').rows[0]?.id).toBe('menu')
  expect(library.search('CRÈME').rows[0]?.id).toBe('menu')
  expect(library.search('api仕様').rows[0]?.id).toBe('api')
})
